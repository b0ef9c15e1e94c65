/** Shows pages in the Markdown preview, and results that follow later runs, instead of the server's files. */

import * as vscode from 'vscode';
import type { Middleware } from 'vscode-languageclient/node';

import type { Names } from './testing/selection';

/** Commands of the server that this extension replaces, and whether they need a case. */
const OWN: Record<string, { command: string; needsCase: boolean }> = {
  'eval-ls.openResult': { command: 'evalLs.openResult', needsCase: true },
  'eval-ls.openTranscript': { command: 'evalLs.openTranscript', needsCase: true },
  'eval-ls.compareWithBaseline': { command: 'evalLs.compareWithBaseline', needsCase: true },
  'eval-ls.openReport': { command: 'evalLs.openReport', needsCase: false },
};

export const shownHere: Middleware = {
  executeCommand: (command, args: unknown[], next): unknown => {
    const own = OWN[command];
    const names = args[0] as Partial<Names> | undefined;
    const isOwn = own !== undefined && (!own.needsCase || names?.case !== undefined);
    return isOwn ? vscode.commands.executeCommand(own.command, names) : next(command, args);
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
