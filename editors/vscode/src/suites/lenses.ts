/** Asks VS Code to request the lenses of a suite again after it is shown: it drops the first request if the focus moves meanwhile. */

import * as vscode from 'vscode';

import type { Server } from '../server/server';
import { LANGUAGE } from '../settings';

/** How long VS Code may drop the first request. */
const DELAY_MS = 1000;

export class Lenses {
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly server: Server, subscriptions: vscode.ExtensionContext['subscriptions']) {
    const schedule = (): void => { this.schedule(); };
    subscriptions.push(
      server.onUp(schedule),
      vscode.window.onDidChangeVisibleTextEditors(schedule),
      // Also when a document gets the language of suites.
      vscode.workspace.onDidOpenTextDocument(({ languageId }) => { if (languageId === LANGUAGE) { schedule(); } }),
      { dispose: () => { clearTimeout(this.timer); } });
  }

  private schedule(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const shown = new Set(vscode.window.visibleTextEditors.map(({ document }) => document));
      [...shown].filter(({ languageId }) => languageId === LANGUAGE).forEach((document) => { this.server.refreshLenses(document); });
    }, DELAY_MS);
  }
}
