/** Shows all runs in the Test Explorer, whatever started them. */

import * as vscode from 'vscode';

import { methods, type RunEvent, type RunParams, type RunResult } from '../protocol';
import type { Server } from '../server/server';
import type { JudgedAgain } from './judgedAgain';
import { looksOf, markOf, outputOf, terminalText, type CaseFinished } from './outcome';
import { report } from './report';
import type { TestTree } from './tree';

/** How long the response may arrive after the first event of a run. */
const PATIENCE_MS = 300;

/** A run with its cases and their suites. */
interface ShownRun { run: vscode.TestRun; cases: Set<vscode.TestItem>; uris: Set<string>; stopped: number }

export class Runs {
  private readonly shown = new Map<number, ShownRun>();
  /** Requested runs without a response. */
  private pending: Promise<unknown> = Promise.resolve();
  /** Events are processed one after the other. */
  private events: Promise<void> = Promise.resolve();

  constructor(
    private readonly controller: vscode.TestController,
    private readonly tree: TestTree,
    private readonly server: Server,
    private readonly judged: JudgedAgain,
  ) {}

  /** Starts a run for the Test Explorer. */
  async start(request: vscode.TestRunRequest, params: RunParams): Promise<void> {
    const answer = this.server.request<RunResult>(methods.run, params);
    const begun = answer.then(({ run }) => (run === null ? undefined : this.shown.get(run) ?? this.show(run, request)));
    this.pending = Promise.allSettled([this.pending, begun]);
    await begun;
  }

  handle(event: RunEvent): void {
    this.events = this.events.then(() => this.apply(event)).catch(() => undefined);
  }

  /** Ends all runs, because the server has stopped. */
  endAll(): void {
    this.shown.forEach(({ run }) => { run.end(); });
    this.shown.clear();
  }

  /**
   * Finds a run of the Test Explorer. The response usually arrives with the first event. If it waits for an approval, it may
   * arrive much later, and other runs do not wait for it.
   */
  private async own(id: number): Promise<ShownRun | undefined> {
    if (!this.shown.has(id)) {
      await Promise.race([this.pending, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
    }
    return this.shown.get(id);
  }

  private show(id: number, request: vscode.TestRunRequest): ShownRun {
    // After a reload, the server knows the verdicts, and the view of runs has the runs.
    const run = this.controller.createTestRun(request, undefined, false);
    run.token.onCancellationRequested(() => void this.server.request(methods.stop, { run: id }).catch(() => undefined));
    const shown = { run, cases: new Set<vscode.TestItem>(), uris: new Set<string>(), stopped: 0 };
    this.shown.set(id, shown);
    return shown;
  }

  private async apply(event: RunEvent): Promise<void> {
    switch (event.kind) {
      case 'started': {
        const items = await Promise.all(event.items.map(({ uri, case: id }) => this.tree.find(uri, id)));
        const found = items.filter((item) => item !== undefined);
        const { run, cases, uris } = (await this.own(event.run)) ?? this.show(event.run, new vscode.TestRunRequest(found));
        found.forEach((item) => { run.enqueued(item); cases.add(item); });
        event.items.forEach(({ uri }) => { uris.add(uri); });
        break;
      }
      case 'caseStarted':
        await this.withCase(event, (run, item) => { run.started(item); });
        break;
      case 'caseProgress':
        await this.withCase(event, (run, item) => { run.appendOutput(terminalText(`${event.message}\n`), undefined, item); });
        break;
      case 'caseFinished':
        await this.withCase(event, (run, item, shown) => { this.finish(run, item, event, shown); });
        break;
      case 'finished': {
        const shown = this.shown.get(event.run);
        if (shown === undefined) {
          break;
        }
        const { run, cases, uris, stopped } = shown;
        if (stopped > 0) {
          run.appendOutput(terminalText(`stopped; not judged: ${stopped === 1 ? '1 case' : `${stopped} cases`}\n`));
        }
        if (event.reason !== null) {
          run.appendOutput(terminalText(`${event.reason}\n`));
        }
        await this.judged.complete(run, cases, uris).catch(() => undefined);
        run.end();
        this.shown.delete(event.run);
      }
    }
  }

  private async withCase(
    { run: id, uri, case: name }: { run: number; uri: string; case: string },
    report: (run: vscode.TestRun, item: vscode.TestItem, shown: ShownRun) => void,
  ): Promise<void> {
    const shown = this.shown.get(id);
    const item = await this.tree.find(uri, name);
    if (shown !== undefined && item !== undefined) {
      report(shown.run, item, shown);
    }
  }

  private finish(run: vscode.TestRun, item: vscode.TestItem, event: CaseFinished, shown: ShownRun): void {
    if (event.status === 'CANCELLED') {
      shown.stopped += 1;
    } else {
      run.appendOutput(terminalText(outputOf(event)), undefined, item);
    }
    report(run, item, event, event.durationMs);
    this.tree.mark(item, markOf(event));
    // After a case that was stopped, the verdict on its earlier answer is shown again.
    this.judged.note(item, looksOf(event));
  }
}
