/** Runs `eval-ls import --propose` on logs of conversations, and opens the suites. */

import * as path from 'node:path';

import * as vscode from 'vscode';

import { runToEnd } from './program';

/** What names a file: the explorer, or the code action of a log. */
export type GivenFile = vscode.Uri | { uri: string } | undefined;

const KEEP: vscode.QuickPickItem = {
  label: 'Keep the texts as they are',
  detail: 'The suite and its transcripts have the texts of the log.',
};
const REPLACE: vscode.QuickPickItem = {
  label: 'Replace personal data',
  detail: 'E-mail addresses, phone and card numbers, and tokens get stand-ins.',
};

/** Makes a suite beside each log. `given` and `selected` are the logs; without them, a person chooses. */
export async function importLogs(extensionFolder: string, log: vscode.LogOutputChannel, given: GivenFile, selected?: vscode.Uri[]): Promise<void> {
  const files = selected ?? (given === undefined ? await chooseFiles() : [given instanceof vscode.Uri ? given : vscode.Uri.parse(given.uri)]);
  const [first] = files;
  const texts = first && await vscode.window.showQuickPick([KEEP, REPLACE], { title: 'Import conversations', placeHolder: 'What happens to the texts?' });
  if (first === undefined || texts === undefined) {
    return;
  }
  await save(files);
  const folder = vscode.Uri.joinPath(first, '..');
  const names = files.map(({ fsPath }) => path.relative(folder.fsPath, fsPath));
  const words = ['import', '--propose', ...texts === REPLACE ? ['--redact'] : [], '--', ...names];
  const progress = { location: vscode.ProgressLocation.Window, title: 'Importing conversations' };
  const { stdout, stderr } = await vscode.window.withProgress(progress, () => runToEnd(extensionFolder, folder, words));
  log.info(`eval-ls ${words.join(' ')}\n${stdout}${stderr}`);
  const suites = [...stdout.matchAll(/^(?:wrote {2}|kept {3})(.+\.evals\.json)$/gm)].map(([, name = '']) => path.resolve(folder.fsPath, name));
  for (const suite of suites) {
    await vscode.window.showTextDocument(vscode.Uri.file(suite), { preview: false });
  }
  if (suites.length === 0 || /^error: /m.test(stderr)) {
    throw new Error(stderr.trim());
  }
  log.show(true);
}

/** Asks for files: the open one if it is JSON or JSON Lines, or others. */
async function chooseFiles(): Promise<readonly vscode.Uri[]> {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.uri.scheme === 'file' && ['json', 'jsonl'].includes(document.languageId)) {
    const open: vscode.QuickPickItem = { label: path.basename(document.fileName), description: 'the open file' };
    const chosen = await vscode.window.showQuickPick([open, { label: 'Choose files…' }], { title: 'Import conversations', placeHolder: 'Which file has the conversations?' });
    if (chosen === undefined || chosen === open) {
      return chosen === undefined ? [] : [document.uri];
    }
  }
  const filters = { 'Logs of conversations': ['jsonl', 'ndjson', 'json'], 'All files': ['*'] };
  return await vscode.window.showOpenDialog({ canSelectMany: true, openLabel: 'Import', title: 'Import conversations', filters }) ?? [];
}

/** Saves those of the files that are open with changes: the program reads the disk. */
async function save(files: readonly vscode.Uri[]): Promise<void> {
  const names = files.map(String);
  for (const document of vscode.workspace.textDocuments) {
    if (document.isDirty && names.includes(document.uri.toString()) && !await document.save()) {
      throw new Error(`${path.basename(document.fileName)} was not saved, so it is not imported.`);
    }
  }
}
