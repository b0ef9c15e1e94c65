/** Runs commands of `eval-ls` in a folder of the workspace. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import * as vscode from 'vscode';

import { findProgram } from '../server/program';
import { programSetting } from '../settings';

/** The most characters of what the program prints. */
const MOST_PRINTED = 64 << 20;

/** What the program prints. */
export interface Printed { stdout: string; stderr: string }

/**
 * Runs `eval-ls` with these words in a folder. Returns what it prints on standard output. Throws an error with what it prints
 * on standard error if it fails.
 */
export async function runProgram(extensionFolder: string, folder: vscode.Uri, words: string[]): Promise<string> {
  const { failed, stdout, stderr } = await runToEnd(extensionFolder, folder, words);
  if (failed) {
    throw new Error(stderr.trim() || stdout.trim());
  }
  return stdout;
}

/** Runs `eval-ls` with these words in a folder. Returns what it prints, also if it fails. Throws an error if it cannot be started. */
export async function runToEnd(extensionFolder: string, folder: vscode.Uri, words: string[]): Promise<Printed & { failed: boolean }> {
  const cwd = folder.fsPath;
  const workspaceFolder = vscode.workspace.getWorkspaceFolder(folder)?.uri.fsPath ?? cwd;
  const program = await findProgram({ setting: programSetting(), extensionFolder, workspaceFolder });
  try {
    return { failed: false, ...await promisify(execFile)(program.path, words, { cwd, maxBuffer: MOST_PRINTED }) };
  } catch (error) {
    const { stdout, stderr } = error as Partial<Printed>;
    if (stdout === undefined || stderr === undefined || stdout + stderr === '') {
      throw error;
    }
    return { failed: true, stdout, stderr };
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
