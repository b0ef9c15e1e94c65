/** Shows why something failed, with a button for the remedy if the server names one. */

import * as vscode from 'vscode';

import { messageOf, remedyOf } from './message';

/** Shows an error, unless a person cancelled. */
export function complain(error: unknown, what = 'Eval'): void {
  const message = messageOf(error);
  if (message !== undefined) {
    void offer(`${what}: ${message}`, remedyOf(error));
  }
}

async function offer(message: string, remedy: ReturnType<typeof remedyOf>): Promise<void> {
  switch (remedy) {
    case 'trust':
      if (await vscode.window.showWarningMessage(message, TRUST) === TRUST) {
        await vscode.commands.executeCommand('workbench.trust.manage');
      }
      break;
    case 'save':
      if (await vscode.window.showInformationMessage(message, SAVE) === SAVE) {
        await vscode.commands.executeCommand('workbench.action.files.saveAs');
      }
      break;
    case undefined:
      await vscode.window.showErrorMessage(message);
  }
}

const TRUST = 'Manage Workspace Trust';
const SAVE = 'Save';
