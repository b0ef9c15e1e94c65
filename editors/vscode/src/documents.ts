/** Virtual documents: answers in memory, and results as Markdown. */

import * as vscode from 'vscode';

import { answerText } from './answerText';
import { showPreview } from './beside';
import { methods, type ResultParams, type TextParams, type TextResult } from './protocol';
import type { Requests } from './server/requests';
import { DOCUMENT_SCHEME as SCHEME } from './settings';
import { withoutLinks } from './message';

/** `answer` is a transcript formatted for people. */
type Kind = 'transcript' | 'answer' | 'result';

/** What a document shows. */
type Asked = { kind: Kind; params: TextParams } | { kind: 'results'; params: ResultParams };

const ENDINGS: Record<Kind, string> = { transcript: 'json', answer: 'txt', result: 'md' };

export class Documents implements vscode.TextDocumentContentProvider {
  private readonly changes = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changes.event;

  constructor(private readonly server: Requests, subscriptions: vscode.ExtensionContext['subscriptions']) {
    subscriptions.push(this.changes, vscode.workspace.registerTextDocumentContentProvider(SCHEME, this));
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const asked = JSON.parse(uri.query) as Asked;
    if (asked.kind === 'results') {
      return page((await this.server.request<TextResult>(methods.result, asked.params))?.text);
    }
    const { kind, params } = asked;
    const text = (await this.text(kind, params))?.text ?? '';
    if (kind === 'result') {
      return page(text);
    }
    return kind === 'answer' ? answerText(text) : text;
  }

  /** Updates the open documents of a suite. */
  refresh(suite: string): void {
    for (const { uri } of vscode.workspace.textDocuments) {
      if (uri.scheme === SCHEME && uri.query.includes(JSON.stringify(suite))) {
        this.changes.fire(uri);
      }
    }
  }

  /** Shows the result of a case in the Markdown preview. */
  async openResult(params: TextParams): Promise<void> {
    if (await this.text('result', params) === null) {
      this.reportNoAnswer(params);
    } else {
      await showPreview(address('result', params));
    }
  }

  /** Shows the results of all cases of a suite in the Markdown preview. */
  async openResults(uri: string): Promise<void> {
    const name = vscode.Uri.parse(uri).path.split('/').pop() ?? '';
    const query = JSON.stringify({ kind: 'results', params: { uri } } satisfies Asked);
    const page = vscode.Uri.from({ scheme: SCHEME, path: `/results/${fileName(name)}.md`, query });
    await showPreview(page);
  }

  /** Shows a transcript; opens its file if it is in one. */
  async openTranscript(params: TextParams): Promise<void> {
    const text = await this.text('transcript', params);
    if (text === null) {
      this.reportNoAnswer(params);
      return;
    }
    const uri = text.uri === null ? address('transcript', params) : vscode.Uri.parse(text.uri);
    await vscode.window.showTextDocument(uri, { preview: true });
  }

  /** Compares the last answer with the stored transcript. */
  async compare(params: TextParams): Promise<void> {
    const stored = { ...params, kept: true };
    const [transcript, answer] = await Promise.all([this.text('transcript', stored), this.text('transcript', params)]);
    if (answer === null) {
      this.reportNoAnswer(params);
    } else if (transcript === null || transcript.text === answer.text) {
      const why = transcript === null ? 'has no transcript yet; accept an answer first' : 'has no other answer than its transcript';
      void vscode.window.showInformationMessage(withoutLinks(`${params.case} ${why}.`));
    } else {
      await vscode.commands.executeCommand('vscode.diff', address('answer', stored), address('answer', params), `${params.case}: transcript ↔ last answer`);
    }
  }

  private reportNoAnswer({ case: id }: TextParams): void {
    void vscode.window.showInformationMessage(withoutLinks(`${id} has no answer yet; run it first.`));
  }

  private text(kind: Kind, params: TextParams): Promise<TextResult> {
    return this.server.request<TextResult>(kind === 'result' ? methods.result : methods.transcript, params);
  }
}

/** A page for the Markdown preview, which cuts long words of code. */
function page(text = ''): string {
  return `${text}\n<style>pre code { overflow-wrap: anywhere; }</style>\n`;
}

function address(kind: Kind, params: TextParams): vscode.Uri {
  const name = `${params.case}${params.kept === true ? ' (transcript)' : ''}.${ENDINGS[kind]}`;
  return vscode.Uri.from({ scheme: SCHEME, path: `/${kind}/${fileName(name)}`, query: JSON.stringify({ kind, params }) });
}

/** A name without the separator of paths. */
function fileName(name: string): string {
  return name.replaceAll('/', '∕');
}

/** The suite and case of a virtual document about a case. */
export function namesOf(uri: vscode.Uri): { uri: string; case?: string } {
  const { params } = JSON.parse(uri.query) as { params: TextParams };
  return { uri: params.uri, case: params.case };
}
