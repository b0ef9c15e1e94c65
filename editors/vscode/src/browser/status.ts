/** The status bar: the verdicts of the active suite. */

import * as vscode from 'vscode';

import { AfterPause } from '../afterPause';
import { methods, type VerdictsResult } from '../protocol';
import type { Requests } from '../server/requests';
import { LANGUAGE } from '../settings';
import { statusText } from '../statusText';

/** What the analysis does here. */
export const ABOUT = 'eval-ls: verdicts on stored answers (browser)';

export class Status {
  private readonly item = vscode.window.createStatusBarItem('eval-ls.suite', vscode.StatusBarAlignment.Left, 50);
  private readonly pause = new AfterPause(() => void this.update());

  constructor(private readonly analysis: Requests, subscriptions: vscode.ExtensionContext['subscriptions']) {
    this.item.name = 'Eval suite';
    this.item.tooltip = `${ABOUT}. Click to go to the next failing case.`;
    this.item.command = 'evalLs.nextFailure';
    const language = vscode.languages.createLanguageStatusItem('eval-ls.browser', { language: LANGUAGE });
    language.text = ABOUT;
    subscriptions.push(this.item, this.pause, language, vscode.window.onDidChangeActiveTextEditor(() => void this.update()));
  }

  /** Updates the item if it shows one of these suites. */
  changed(uris: readonly string[]): void {
    const shown = active()?.toString();
    this.pause.add(uris.filter((uri) => uri === shown));
  }

  private async update(): Promise<void> {
    const suite = active();
    const verdicts = suite && await this.analysis.request<VerdictsResult | null>(methods.verdicts, { uri: suite.toString() }).catch(() => null);
    if (suite?.toString() !== active()?.toString()) {
      return;
    }
    if (verdicts === undefined || verdicts === null) {
      this.item.hide();
      return;
    }
    this.item.text = statusText(verdicts);
    this.item.show();
  }
}

function active(): vscode.Uri | undefined {
  const document = vscode.window.activeTextEditor?.document;
  return document?.languageId === LANGUAGE ? document.uri : undefined;
}
