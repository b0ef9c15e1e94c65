/** Shows pages in the Markdown preview, and results that follow later runs, instead of the server's files. */

import * as vscode from 'vscode';
import type { Middleware } from 'vscode-languageclient/node';

import type { Names } from './testing/selection';

/** Commands of the server that this extension replaces for a case. */
const OWN: Record<string, string> = {
  'eval-ls.openResult': 'evalLs.openResult',
  'eval-ls.openTranscript': 'evalLs.openTranscript',
};

export const shownHere: Middleware = {
  executeCommand: (command, args: unknown[], next): unknown => {
    const own = OWN[command];
    const names = args[0] as Partial<Names> | undefined;
    return own !== undefined && names?.case !== undefined ? vscode.commands.executeCommand(own, names) : next(command, args);
  },
  window: {
    showDocument: async (params, token, next) => {
      if (params.external === true || !params.uri.endsWith('.md')) {
        return next(params, token);
      }
      await vscode.commands.executeCommand('markdown.showPreview', vscode.Uri.parse(params.uri));
      return { success: true };
    },
  },
};
