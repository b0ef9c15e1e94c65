/** Runs commands of `eval-ls` in a folder of the workspace. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import * as vscode from 'vscode';

import { findProgram } from '../server/program';
import { programSetting } from '../settings';

/**
 * Runs `eval-ls` with these words in a folder. Returns what it prints on standard output. Throws an error with what it prints
 * on standard error if it fails.
 */
export async function runProgram(extensionFolder: string, folder: vscode.Uri, words: string[]): Promise<string> {
  const cwd = folder.fsPath;
  const workspaceFolder = vscode.workspace.getWorkspaceFolder(folder)?.uri.fsPath ?? cwd;
  const program = await findProgram({ setting: programSetting(), extensionFolder, workspaceFolder });
  try {
    return (await promisify(execFile)(program.path, words, { cwd })).stdout;
  } catch (error) {
    const { stderr } = error as { stderr?: string };
    throw stderr === undefined || stderr === '' ? error : new Error(stderr.trim());
  }
}

/** The folder of the workspace, or the one that a person chooses. */
export async function chooseFolder(placeHolder: string): Promise<vscode.WorkspaceFolder | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length === 0) {
    void vscode.window.showInformationMessage('Open a folder first.');
    return undefined;
  }
  return folders.length === 1 ? folders[0] : vscode.window.showWorkspaceFolderPick({ placeHolder });
}
