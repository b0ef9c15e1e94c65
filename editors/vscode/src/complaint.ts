/** Shows why something failed, with a button for the remedy if the server names one. */

import * as vscode from 'vscode';

import { messageOf, remedyOf } from './message';
import type { ErrorData } from './protocol';
import { editorRange } from './testing/report';

/** Shows an error, unless a person cancelled. */
export function complain(error: unknown, what = 'Eval', help = STATUS): void {
  const message = messageOf(error);
  if (message !== undefined) {
    void offer(`${what}: ${message}`, remedyOf(error), help);
  }
}

async function offer(message: string, data: ErrorData | undefined, help: vscode.Command): Promise<void> {
  switch (data?.remedy) {
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
    case 'configuration':
      if (await vscode.window.showErrorMessage(message, OPEN) === OPEN && data.location !== null) {
        await vscode.window.showTextDocument(vscode.Uri.parse(data.location.uri), { selection: editorRange(data.location.range) });
      }
      break;
    case undefined:
      // VS Code cuts a message without a button.
      if (await vscode.window.showErrorMessage(message, help.title) === help.title) {
        await vscode.commands.executeCommand(help.command, ...(help.arguments as unknown[] | undefined) ?? []);
      }
  }
}

const TRUST = 'Manage Workspace Trust';
const SAVE = 'Save';
const OPEN = 'Open';
/** What helps with other errors. */
const STATUS: vscode.Command = { title: 'Show status', command: 'evalLs.showStatus' };
