/** Runs `eval-ls init KIND`, selects the new target, and opens what there is to edit. */

import * as path from 'node:path';

import * as vscode from 'vscode';

import type { Server } from '../server/server';
import { chooseFolder, runProgram } from './program';

/** `target` is the argument of `init`, or `replay`, which needs no table. */
type Choice = vscode.QuickPickItem & { target: string };

const REPLAY = 'replay';

const CHOICES: Choice[] = [
  { label: 'Python program', detail: 'Writes a program that answers. You add the call to your assistant.', target: 'python' },
  { label: 'Node.js program', detail: 'Writes a program that answers. You add the call to your assistant.', target: 'node' },
  { label: 'Web app in a browser', detail: 'Types the prompts into the chat of a live app.', target: 'browser' },
  { label: 'Stored transcripts', detail: 'Scores answers that are stored already. This target is always there.', target: REPLAY },
];

/** Asks what answers, adds it as a target, and selects it. `suite` is the suite for which a target is wanted. */
export async function addTarget(server: Server, extensionFolder: string, suite?: vscode.Uri): Promise<void> {
  const folder = suite?.scheme === 'file' ? vscode.Uri.joinPath(suite, '..') : (await chooseFolder('Select a folder for the target'))?.uri;
  const choice = folder && await vscode.window.showQuickPick(CHOICES, { placeHolder: 'What answers the prompts?' });
  if (folder === undefined || choice === undefined) {
    return;
  }
  if (choice.target === REPLAY) {
    await select(server, suite ?? vscode.Uri.joinPath(folder, 'eval-ls.toml'), REPLAY);
    void vscode.window.showInformationMessage('Runs score stored transcripts.');
    return;
  }
  // The terminal asks what the editor asks.
  const words = ['init', choice.target, '--default'];
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
  const [, target, file, line] = /^(?:added {2}|kept {3})\[targets\.(.+)\] (?:to|in) (.+):(\d+)$/m.exec(output) ?? [];
  const [, program] = /^wrote {2}(.+\.(?:py|mjs))$/m.exec(output) ?? [];
  if (target === undefined || file === undefined) {
    return;
  }
  const within = (name: string): vscode.Uri => vscode.Uri.file(path.resolve(folder.fsPath, name));
  await select(server, within(file), target);
  if (program === undefined) {
    const at = new vscode.Position(Number(line) - 1, 0);
    await vscode.window.showTextDocument(within(file), { preview: false, selection: new vscode.Range(at, at) });
    void vscode.window.showInformationMessage(`${target} is the target for runs now, here and in the terminal.`);
  } else {
    await showAnswer(within(program));
    void vscode.window.showInformationMessage(
      `${target} is the target for runs now, here and in the terminal. Add the call to your assistant to ${path.basename(program)}.`);
  }
}

/** Opens a new program at its function `answer`, which the author completes. */
async function showAnswer(program: vscode.Uri): Promise<void> {
  const document = await vscode.workspace.openTextDocument(program);
  const at = document.positionAt(Math.max(document.getText().search(/(def|function) answer\(/), 0));
  await vscode.window.showTextDocument(document, { preview: false, selection: new vscode.Range(at, at) });
}

/** Selects the target of a suite or of an `eval-ls.toml`. */
async function select(server: Server, uri: vscode.Uri, target: string): Promise<void> {
  await server.execute('eval-ls.chooseTarget', { uri: uri.toString(), target });
}
