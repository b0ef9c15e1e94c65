/** An answer of a case with its verdict, in a webview. The server makes the page and judges; the page follows each verdict. */

import * as vscode from 'vscode';

import { showText } from './beside';
import type { Documents } from './documents';
import { withoutLinks } from './message';
import { Page } from './page';
import { methods, type Range, type TranscriptPage, type TranscriptPageParams } from './protocol';
import type { Server } from './server/server';

export class Transcripts {
  private readonly page: Page<TranscriptPageParams>;

  constructor(
    private readonly server: Server,
    private readonly documents: Documents,
    storage: vscode.Memento,
    subscriptions: vscode.ExtensionContext['subscriptions'],
  ) {
    this.page = new Page<TranscriptPageParams>(server, storage, {
      type: 'evalLs.transcript',
      load: async (params) => {
        const found = await this.load(params);
        return found === null ? undefined : { params, shown: { title: `Transcript ${params.case}`, html: found.html } };
      },
      receive: (params, message) => this.receive(params, message),
    }, subscriptions);
  }

  /** Shows the page of a case. */
  async open(params: TranscriptPageParams): Promise<void> {
    if (await this.load(params) === null) {
      void vscode.window.showInformationMessage(withoutLinks(`${params.case} has no answer yet; run it first.`));
      return;
    }
    await this.page.show(params);
  }

  /** Updates the page if it shows a case of one of these suites. */
  changed(uris: readonly string[]): void {
    const { params } = this.page;
    if (params !== undefined && uris.some((uri) => vscode.Uri.parse(uri).toString() === vscode.Uri.parse(params.uri).toString())) {
      void this.update(params).catch(() => undefined);
    }
  }

  private load(params: TranscriptPageParams): Promise<TranscriptPage> {
    return this.server.request<TranscriptPage>(methods.transcriptPage, params);
  }

  private async update(params: TranscriptPageParams): Promise<void> {
    const found = await this.load(params);
    if (found !== null && this.page.params === params) {
      this.page.post({ transcript: found.data });
    }
  }

  private async receive(params: TranscriptPageParams, message: unknown): Promise<void> {
    const { open, check } = (message ?? {}) as Partial<Record<string, unknown>>;
    switch (open) {
      case 'data':
        await this.update(params);
        break;
      case 'json':
        await this.documents.openTranscript(params);
        break;
      case 'compare':
        await this.documents.compare(params);
        break;
      case 'accept':
        await vscode.commands.executeCommand('evalLs.acceptAnswer', params);
        await this.update(params);
        break;
      case 'case':
        await this.reveal(params, (await this.load(params))?.range);
        break;
      case 'check': {
        // The text may have changed since the page was made.
        const found = await this.load(params);
        await this.reveal(params, typeof check === 'number' ? found?.checks[check]?.range ?? found?.range : undefined);
      }
    }
  }

  /** Shows a place of the suite. */
  private async reveal({ uri, case: id }: TranscriptPageParams, range: Range | undefined): Promise<void> {
    if (range === undefined) {
      void vscode.window.showInformationMessage(withoutLinks(`The suite does not have the case ${id} any more.`));
      return;
    }
    await showText(vscode.Uri.parse(uri), range);
  }
}
