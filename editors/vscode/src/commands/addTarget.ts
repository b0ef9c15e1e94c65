/** Runs `eval-ls add-target` in the workspace folder and opens `eval-ls.toml` at the new target. */

import * as path from 'node:path';

import * as vscode from 'vscode';

import { chooseFolder, runProgram } from './init';

type Kind = vscode.QuickPickItem & { words: string[] };

const KINDS: Kind[] = [
  { label: 'Python program', detail: 'Writes a program that answers. You add the call of your assistant.', words: ['python'] },
  { label: 'Node.js program', detail: 'Writes a program that answers. You add the call of your assistant.', words: ['node'] },
  { label: 'Web app in a browser', detail: 'Types the prompts into the chat of a live app.', words: ['browser'] },
];

/** Asks what answers, adds it as a target, and opens the configuration there. */
export async function addTarget(extensionFolder: string): Promise<void> {
  const folder = await chooseFolder('Select a folder for the target');
  const kind = folder && await vscode.window.showQuickPick(KINDS, { placeHolder: 'What answers the prompts? Stored transcripts need no target.' });
  if (folder === undefined || kind === undefined) {
    return;
  }
  const words = ['add-target', ...kind.words];
  if (kind.words[0] === 'browser') {
    const url = await vscode.window.showInputBox({
      prompt: 'The address of the app',
      value: 'http://localhost:3000',
      validateInput: (text) => (/^https?:\/\/./.test(text) ? undefined : 'The address starts with http:// or https://.'),
    });
    if (url === undefined) {
      return;
    }
    words.push('--url', url);
  }
  const output = await runProgram(extensionFolder, folder, words);
  const [, file, line] = /^added .* to (.+):(\d+)$/m.exec(output) ?? [];
  if (file !== undefined) {
    const at = new vscode.Position(Number(line) - 1, 0);
    const uri = vscode.Uri.file(path.resolve(folder.uri.fsPath, file));
    await vscode.window.showTextDocument(uri, { preview: false, selection: new vscode.Range(at, at) });
  }
}
