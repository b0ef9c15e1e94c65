/** Shows why something failed, with a button for the remedy if there is one. */

import * as vscode from 'vscode';

import { messageOf } from './message';

/** Shows an error, unless a person cancelled. */
export function complain(error: unknown, what = 'Eval'): void {
  const message = messageOf(error);
  if (message !== undefined) {
    void offer(`${what}: ${message}`);
  }
}

async function offer(message: string): Promise<void> {
  if (!vscode.workspace.isTrusted) {
    if (await vscode.window.showWarningMessage(message, TRUST) === TRUST) {
      await vscode.commands.executeCommand('workbench.trust.manage');
    }
  } else if (vscode.window.activeTextEditor?.document.isUntitled === true) {
    if (await vscode.window.showInformationMessage(message, SAVE) === SAVE) {
      await vscode.commands.executeCommand('workbench.action.files.saveAs');
    }
  } else {
    await vscode.window.showErrorMessage(message);
  }
}

const TRUST = 'Manage Workspace Trust';
const SAVE = 'Save';
