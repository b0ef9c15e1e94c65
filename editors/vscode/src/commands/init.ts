/** Runs `eval-ls init` in the workspace folder and opens the first suite. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import * as vscode from 'vscode';

import { findProgram } from '../server/program';
import { programSetting } from '../settings';

/** Writes a configuration and a first suite unless they exist, and opens the suite. */
export async function initialise(extensionFolder: string): Promise<void> {
  const folder = await chooseFolder();
  if (folder === undefined) {
    return;
  }
  const program = await findProgram({ setting: programSetting(), extensionFolder, workspaceFolder: folder.uri.fsPath });
  await promisify(execFile)(program.path, ['init'], { cwd: folder.uri.fsPath });
  await openFirstSuite(folder);
}

/** Opens a suite of the workspace, or reports that there is none. */
export async function openFirstSuite(folder?: vscode.WorkspaceFolder): Promise<void> {
  const where = (pattern: string): vscode.GlobPattern => (folder === undefined ? pattern : new vscode.RelativePattern(folder, pattern));
  for (const pattern of ['**/evals/*.json', '**/*.evals.json', '**/*eval-set*.json']) {
    const [suite] = await vscode.workspace.findFiles(where(pattern), '**/node_modules/**', 1);
    if (suite !== undefined) {
      await vscode.window.showTextDocument(suite, { preview: false });
      return;
    }
  }
  void vscode.window.showInformationMessage('This workspace has no eval suite; run "Eval: Create a first suite in this folder".');
}

async function chooseFolder(): Promise<vscode.WorkspaceFolder | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length === 0) {
    void vscode.window.showInformationMessage('Open a folder first.');
    return undefined;
  }
  return folders.length === 1 ? folders[0] : vscode.window.showWorkspaceFolderPick({ placeHolder: 'Select a folder for the suite' });
}
