/** The HTML page of a kept run, in a webview. The server makes the page; its own policy allows only its style and script. */

import * as vscode from 'vscode';

import { showText } from './beside';
import { withoutLinks } from './message';
import { Page } from './page';
import { methods, type ReportParams, type ReportResult, type SuiteOfRun, type TestsResult } from './protocol';
import type { Server } from './server/server';
import { shortTime } from './times';

/** The place of a case, as the page names it. */
interface Place { suite: string; case: string }

export class Reports {
  private readonly page: Page<ReportParams>;
  /** The suites of the run that is shown. */
  private suites: SuiteOfRun[] = [];

  constructor(private readonly server: Server, storage: vscode.Memento, subscriptions: vscode.ExtensionContext['subscriptions']) {
    this.page = new Page<ReportParams>(server, storage, {
      type: 'evalLs.report',
      load: async (params) => {
        const { run, startedAt, html, suites } = await server.request<ReportResult>(methods.report, params);
        this.suites = suites;
        return { params: { run }, shown: { title: `Report ${shortTime(new Date(startedAt))}`, html } };
      },
      receive: async (_, message) => {
        if (isPlace(message)) {
          await this.reveal(message);
        }
      },
    }, subscriptions);
  }

  /** Shows the page of a run; without one, that of the last run of the suite. */
  async open(params: ReportParams): Promise<void> {
    await this.page.show(params);
  }

  /** Shows a case. Only suites of the run are opened, whatever the page asks for. */
  private async reveal(place: Place): Promise<void> {
    const uri = this.suites.find(({ label }) => label === place.suite)?.uri;
    if (uri === undefined) {
      return;
    }
    const tests = await this.server.request<TestsResult>(methods.tests, { uri });
    const found = tests.suites[0]?.cases?.find(({ id }) => id === place.case);
    if (found === undefined) {
      void vscode.window.showInformationMessage(withoutLinks(`${place.suite} does not have the case ${place.case} any more.`));
      return;
    }
    await showText(vscode.Uri.parse(uri), found.range);
  }
}

function isPlace(message: unknown): message is Place {
  const { suite, case: id } = (message ?? {}) as Partial<Record<string, unknown>>;
  return typeof suite === 'string' && typeof id === 'string';
}
