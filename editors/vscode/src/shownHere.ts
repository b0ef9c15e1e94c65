/** Shows pages in the Markdown preview, and results that follow later runs, instead of the server's files. */

import * as vscode from 'vscode';
import type { Middleware } from 'vscode-languageclient/node';

import { showPreview } from './beside';
import { complain } from './complaint';

/** The argument of a command of the server. */
interface Argument { uri?: string; case?: string; target?: string }

/** The command of this extension that replaces one of the server, if there is one for this argument. */
function own(command: string, { case: id, target }: Argument): string | undefined {
  switch (command) {
    case 'eval-ls.openResult':
      return id === undefined ? 'evalLs.openResults' : 'evalLs.openTranscript';
    case 'eval-ls.acceptAsTranscript':
      return 'evalLs.acceptAnswer';
    case 'eval-ls.openReport':
      return 'evalLs.openReport';
    case 'eval-ls.chooseTarget':
      return target === undefined ? 'evalLs.chooseTarget' : undefined;
    case 'eval-ls.import':
      return 'evalLs.importConversations';
    default:
      return undefined;
  }
}

export const shownHere: Middleware = {
  executeCommand: async (command, args: unknown[], next): Promise<unknown> => {
    const argument = (args[0] ?? {}) as Argument;
    const replacement = own(command, argument);
    if (replacement !== undefined) {
      return vscode.commands.executeCommand(replacement, argument);
    }
    try {
      return await (next(command, args) as Promise<unknown>);
    } catch (error) {
      // `complain` ignores cancellations, such as a target that a person refused.
      complain(error);
      return undefined;
    }
  },
  window: {
    showDocument: async (params, token, next) => {
      if (params.external === true || !params.uri.endsWith('.md')) {
        return next(params, token);
      }
      await showPreview(vscode.Uri.parse(params.uri));
      return { success: true };
    },
  },
};
