/** Pages of the analysis in the Markdown preview: the challenges of a suite, and the explanation of a lint. */

import * as vscode from 'vscode';

import { showPreview } from '../beside';
import type { TextResult } from '../protocol';
import type { Analysis } from './analysis';

const SCHEME = 'eval-ls-page';

/** A command of the analysis that returns a page. */
interface Asked { command: string; argument: object }

export class Pages implements vscode.TextDocumentContentProvider {
  private readonly changes = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changes.event;

  constructor(private readonly analysis: Analysis, subscriptions: vscode.ExtensionContext['subscriptions']) {
    subscriptions.push(this.changes, vscode.workspace.registerTextDocumentContentProvider(SCHEME, this));
  }

  async provideTextDocumentContent({ query }: vscode.Uri): Promise<string> {
    const { command, argument } = JSON.parse(query) as Asked;
    return (await this.analysis.execute<TextResult>(command, argument))?.text ?? '';
  }

  /** Shows the page of a command. */
  async show(title: string, asked: Asked): Promise<void> {
    const page = vscode.Uri.from({ scheme: SCHEME, path: `/${title}.md`, query: JSON.stringify(asked) });
    this.changes.fire(page);
    await showPreview(page);
  }

  /** Updates the open pages about a suite. */
  refresh(suite: string): void {
    vscode.workspace.textDocuments
      .filter(({ uri }) => uri.scheme === SCHEME && uri.query.includes(JSON.stringify(suite)))
      .forEach(({ uri }) => { this.changes.fire(uri); });
  }
}
