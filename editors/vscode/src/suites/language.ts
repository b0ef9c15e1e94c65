/** Sets the language of suites that only `eval-ls.toml` identifies, not their file name. */

import * as vscode from 'vscode';

import { methods, type IsSuiteResult } from '../protocol';
import type { Server } from '../server/server';

export const LANGUAGE = 'eval-suite';

export class SuiteLanguage {
  constructor(private readonly server: Server, subscriptions: vscode.ExtensionContext['subscriptions']) {
    const all = (): void => { vscode.workspace.textDocuments.forEach((document) => void this.adopt(document)); };
    subscriptions.push(
      server.onUp(all),
      vscode.workspace.onDidOpenTextDocument((document) => void this.adopt(document)),
    );
  }

  /** Gives a document that the server takes for a suite its language. */
  private async adopt(document: vscode.TextDocument): Promise<void> {
    if (document.languageId !== 'json' || document.uri.scheme !== 'file' || !this.server.isUp) {
      return;
    }
    const isSuite = await this.isSuite(document.uri);
    if (isSuite && !document.isClosed && document.languageId === 'json') {
      await vscode.languages.setTextDocumentLanguage(document, LANGUAGE);
    }
  }

  private async isSuite(uri: vscode.Uri): Promise<boolean> {
    try {
      return (await this.server.request<IsSuiteResult>(methods.isSuite, { uri: uri.toString() })).isSuite;
    } catch {
      return false;
    }
  }
}
