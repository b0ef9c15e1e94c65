/** Sets the language of suites that only `eval-ls.toml` identifies, not their file name. */

import * as vscode from 'vscode';

import { methods, type TestsResult } from '../protocol';
import type { Server } from '../server/server';

export const LANGUAGE = 'eval-suite';

export class SuiteLanguage {
  private known: Promise<Set<string>> | undefined;

  constructor(private readonly server: Server, subscriptions: vscode.ExtensionContext['subscriptions']) {
    const all = (): void => { vscode.workspace.textDocuments.forEach((document) => void this.adopt(document)); };
    const forget = (): void => { this.known = undefined; };
    const watcher = vscode.workspace.createFileSystemWatcher('**/eval-ls.toml');
    subscriptions.push(
      server.onUp(() => { forget(); all(); }),
      vscode.workspace.onDidOpenTextDocument((document) => void this.adopt(document)),
      vscode.workspace.onDidCreateFiles(forget),
      watcher, watcher.onDidChange(forget), watcher.onDidCreate(forget), watcher.onDidDelete(forget),
    );
  }

  private async adopt(document: vscode.TextDocument): Promise<void> {
    if (document.languageId !== 'json' || document.uri.scheme !== 'file' || !this.server.isUp) {
      return;
    }
    this.known ??= this.suites();
    const suites = await this.known;
    if (suites.has(document.uri.toString()) && !document.isClosed) {
      await vscode.languages.setTextDocumentLanguage(document, LANGUAGE);
    }
  }

  private async suites(): Promise<Set<string>> {
    try {
      const { suites } = await this.server.request<TestsResult>(methods.tests, {});
      return new Set(suites.map(({ uri }) => vscode.Uri.parse(uri).toString()));
    } catch {
      return new Set();
    }
  }
}
