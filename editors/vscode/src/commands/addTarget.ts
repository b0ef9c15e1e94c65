/** Runs `eval-ls add-target` in the workspace folder and opens `eval-ls.toml` at the new target. */

import * as path from 'node:path';

import * as vscode from 'vscode';

import { chooseFolder, runProgram } from './program';

/** `target` is the argument of `add-target`. */
type Choice = vscode.QuickPickItem & { target: string };

const CHOICES: Choice[] = [
  { label: 'Python program', detail: 'Writes a program that answers. You add the call to your assistant.', target: 'python' },
  { label: 'Node.js program', detail: 'Writes a program that answers. You add the call to your assistant.', target: 'node' },
  { label: 'Web app in a browser', detail: 'Types the prompts into the chat of a live app.', target: 'browser' },
];

/** Asks what answers, adds it as a target, and opens the configuration there. */
export async function addTarget(extensionFolder: string): Promise<void> {
  const folder = await chooseFolder('Select a folder for the target');
  const choice = folder && await vscode.window.showQuickPick(CHOICES, { placeHolder: 'What answers the prompts? Stored transcripts need no target.' });
  if (folder === undefined || choice === undefined) {
    return;
  }
  const words = ['add-target', choice.target];
  if (choice.target === 'browser') {
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
