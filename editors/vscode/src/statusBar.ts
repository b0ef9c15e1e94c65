/** The status bar: the verdicts of the active suite and the selected target. */

import * as vscode from 'vscode';

import { methods, type VerdictsResult } from './protocol';
import type { Server } from './server/server';
import { statusLines, statusText } from './statusText';
import { DOCUMENT_SCHEME, LANGUAGE } from './settings';

/** How long changes are collected: each key changes the verdicts, and they are many. */
const COLLECT_MS = 200;

export class StatusBar {
  /** The suite that was active last. */
  private suite: vscode.Uri | undefined;
  private readonly item = vscode.window.createStatusBarItem('eval-ls.suite', vscode.StatusBarAlignment.Left, 50);
  private requests = 0;
  /** How many cases of the workspace have failed. */
  private failed = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly server: Server,
    private readonly offerTargets: (targets: readonly string[]) => void,
    subscriptions: vscode.ExtensionContext['subscriptions'],
  ) {
    this.item.name = 'Eval suite';
    const update = (): void => void this.update();
    subscriptions.push(
      this.item,
      { dispose: () => { clearTimeout(this.timer); } },
      server.onUp(update),
      server.onDown(() => { this.item.hide(); }),
      vscode.window.onDidChangeActiveTextEditor(update),
      vscode.workspace.onDidCloseTextDocument(update),
    );
  }

  /** Updates the item if it shows one of these suites. */
  changed(uris: readonly string[]): void {
    const shown = this.active()?.toString();
    if (uris.some((uri) => vscode.Uri.parse(uri).toString() === shown)) {
      this.timer ??= setTimeout(() => {
        this.timer = undefined;
        void this.update();
      }, COLLECT_MS);
    }
  }

  /** Notes how many cases have failed, which is shown while no suite is active. */
  failures(count: number): void {
    this.failed = count;
    if (this.active() === undefined) {
      void this.update();
    }
  }

  private async update(): Promise<void> {
    const suite = this.active();
    this.requests += 1;
    const request = this.requests;
    if (suite === undefined && this.failed > 0 && this.server.isUp) {
      this.item.text = `$(error) ${this.failed} failed`;
      this.item.tooltip = `${this.failed} ${this.failed === 1 ? 'case' : 'cases'} of the eval suites failed. Click to show them.`;
      this.item.command = 'workbench.view.testing.focus';
      this.item.show();
      return;
    }
    if (suite === undefined || !this.server.isUp) {
      this.item.hide();
      return;
    }
    const verdicts = await this.server.request<VerdictsResult>(methods.verdicts, { uri: suite.toString() }).catch(() => undefined);
    // A newer request makes this response obsolete.
    if (request !== this.requests) {
      return;
    }
    if (verdicts === undefined) {
      this.item.hide();
      return;
    }
    this.item.text = statusText(verdicts);
    this.item.tooltip = statusLines(verdicts).join('\n');
    this.item.command = { command: 'evalLs.showFailures', title: 'Show failures and targets', arguments: [suite] };
    this.item.show();
    this.offerTargets(verdicts.targets);
  }

  /** The suite in the active editor. While a page or a diff about it is active, it is the suite that was active before. */
  private active(): vscode.Uri | undefined {
    const document = vscode.window.activeTextEditor?.document;
    if (document?.languageId === LANGUAGE) {
      this.suite = document.uri;
    } else if (document !== undefined && document.uri.scheme !== DOCUMENT_SCHEME) {
      this.suite = undefined;
    }
    const shown = this.suite?.toString();
    const isOpen = vscode.workspace.textDocuments.some(({ uri }) => uri.toString() === shown);
    return isOpen ? this.suite : undefined;
  }
}

