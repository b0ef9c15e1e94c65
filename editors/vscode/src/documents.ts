/** Virtual documents: answers in memory, and results as Markdown. */

import * as vscode from 'vscode';

import { answerText } from './answerText';
import { showPreview } from './beside';
import { methods, type BaselineAnswer, type ResultParams, type TextParams, type TextResult } from './protocol';
import type { Requests } from './server/requests';
import { DOCUMENT_SCHEME as SCHEME } from './settings';
import { withoutLinks } from './message';

/** `answer` is a transcript formatted for people, `baseline` that of a run of the baseline. */
type Kind = 'transcript' | 'answer' | 'baseline' | 'result';

/** What a document shows. */
type Asked = { kind: Kind; params: TextParams } | { kind: 'results'; params: ResultParams };

const ENDINGS: Record<Kind, string> = { transcript: 'json', answer: 'txt', baseline: 'txt', result: 'md' };

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
    return kind === 'answer' || kind === 'baseline' ? answerText(text) : text;
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
    if (await this.exists('result', params)) {
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

  /** Compares the stored transcript with the answer in memory. */
  async compareTranscripts(params: TextParams): Promise<void> {
    const [before, after] = [{ ...params, kept: true }, params];
    const [kept, answer] = await Promise.all([this.text('transcript', before), this.text('transcript', after)]);
    if (kept === null || answer === null) {
      void vscode.window.showInformationMessage(withoutLinks(`Nothing to compare for ${params.case}: it needs a stored transcript and a new answer from a live target.`));
      return;
    }
    await vscode.commands.executeCommand(
      'vscode.diff', address('answer', before), address('answer', after), `${params.case}: transcript ↔ last answer`);
  }

  /** Compares the answer in a run of the baseline with the last one. */
  async compareWithBaseline(params: TextParams): Promise<void> {
    // Reports the reason if there is no such answer.
    const { description } = await this.baseline(params);
    await vscode.commands.executeCommand(
      'vscode.diff', address('baseline', params), address('answer', params), `${params.case}: ${description} ↔ last answer`);
  }

  private baseline({ uri, case: id }: TextParams): Promise<BaselineAnswer> {
    return this.server.request<BaselineAnswer>(methods.baselineAnswer, { uri, case: id });
  }

  private async exists(kind: Kind, params: TextParams): Promise<boolean> {
    const there = (await this.text(kind, params)) !== null;
    if (!there) {
      this.reportNoAnswer(params);
    }
    return there;
  }

  private reportNoAnswer({ case: id }: TextParams): void {
    void vscode.window.showInformationMessage(withoutLinks(`${id} has no answer yet; run it first.`));
  }

  private text(kind: Kind, params: TextParams): Promise<TextResult> {
    if (kind === 'baseline') {
      return this.baseline(params).then(({ text }) => ({ text, uri: null }));
    }
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
