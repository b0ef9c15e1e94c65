/** Sets the language of suites that `eval-ls.toml` or their content identifies, not their file name. */

import * as vscode from 'vscode';

import { methods, type IsSuiteResult } from '../protocol';
import type { Server } from '../server/server';
import { LANGUAGE } from '../settings';

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
    // The language may change while the server answers, so each look reads it again.
    const isJson = (): boolean => document.languageId === 'json';
    if (!isJson() || document.uri.scheme !== 'file' || !this.server.isUp) {
      return;
    }
    const isSuite = await this.isSuite(document.uri);
    if (isSuite && !document.isClosed && isJson()) {
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
