/** Runs, whoever started them, as the Test Explorer shows them. */

import * as vscode from 'vscode';

import { methods, type RunEvent, type RunParams, type RunResult } from '../protocol';
import type { Server } from '../server/server';
import { outcomeOf, outputOf, terminalText, type CaseFinished, type Problem } from './outcome';
import type { TestTree } from './tree';

/** How much later than a run's first event its answer may be. */
const PATIENCE_MS = 300;

export class Runs {
  private readonly shown = new Map<number, vscode.TestRun>();
  /** Runs that the Test Explorer asked for, and that have not been answered. */
  private asked: Promise<unknown> = Promise.resolve();
  /** Events are shown one after the other. */
  private events: Promise<void> = Promise.resolve();

  constructor(
    private readonly controller: vscode.TestController,
    private readonly tree: TestTree,
    private readonly server: Server,
  ) {}

  /** Starts what the Test Explorer asked for. */
  async start(request: vscode.TestRunRequest, params: RunParams): Promise<void> {
    const answer = this.server.request<RunResult>(methods.run, params);
    const begun = answer.then(({ run }) => this.shown.get(run) ?? this.show(run, request));
    this.asked = Promise.allSettled([this.asked, begun]);
    await begun;
  }

  handle(event: RunEvent): void {
    this.events = this.events.then(() => this.apply(event)).catch(() => undefined);
  }

  /** The server is gone, and with it what it ran. */
  endAll(): void {
    this.shown.forEach((run) => { run.end(); });
    this.shown.clear();
  }

  /**
   * The run, where the Test Explorer asked for it. Its answer comes with its first event, but one that waits for a person
   * to allow a target may come much later, and others' runs do not wait for that.
   */
  private async own(id: number): Promise<vscode.TestRun | undefined> {
    if (!this.shown.has(id)) {
      await Promise.race([this.asked, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
    }
    return this.shown.get(id);
  }

  private show(id: number, request: vscode.TestRunRequest): vscode.TestRun {
    const run = this.controller.createTestRun(request);
    run.token.onCancellationRequested(() => void this.server.request(methods.stop, { run: id }).catch(() => undefined));
    this.shown.set(id, run);
    return run;
  }

  private async apply(event: RunEvent): Promise<void> {
    switch (event.kind) {
      case 'started': {
        const items = await Promise.all(event.items.map(({ uri, case: id }) => this.tree.find(uri, id)));
        const found = items.filter((item) => item !== undefined);
        const run = (await this.own(event.run)) ?? this.show(event.run, new vscode.TestRunRequest(found));
        found.forEach((item) => { run.enqueued(item); });
        break;
      }
      case 'caseStarted':
        await this.withCase(event, (run, item) => { run.started(item); });
        break;
      case 'caseProgress':
        await this.withCase(event, (run, item) => { run.appendOutput(terminalText(`${event.message}\n`), undefined, item); });
        break;
      case 'caseFinished':
        await this.withCase(event, (run, item) => { this.finish(run, item, event); });
        break;
      case 'finished': {
        const run = this.shown.get(event.run);
        if (event.reason !== null) {
          run?.appendOutput(terminalText(`${event.reason}\n`));
        }
        run?.end();
        this.shown.delete(event.run);
      }
    }
  }

  private async withCase(
    { run: id, uri, case: name }: { run: number; uri: string; case: string },
    tell: (run: vscode.TestRun, item: vscode.TestItem) => void,
  ): Promise<void> {
    const run = this.shown.get(id);
    const item = await this.tree.find(uri, name);
    if (run !== undefined && item !== undefined) {
      tell(run, item);
    }
  }

  private finish(run: vscode.TestRun, item: vscode.TestItem, event: CaseFinished): void {
    run.appendOutput(terminalText(outputOf(event)), undefined, item);
    const { state, problems } = outcomeOf(event);
    const messages = problems.map((problem) => messageOf(problem, item));
    switch (state) {
      case 'passed':
        run.passed(item, event.durationMs);
        break;
      case 'failed':
        run.failed(item, messages, event.durationMs);
        break;
      case 'errored':
        run.errored(item, messages, event.durationMs);
        break;
      case 'skipped':
        run.skipped(item);
    }
    if (!this.tree.isCurrent(item, event.hash)) {
      this.controller.invalidateTestResults(item);
    }
  }
}

function messageOf({ message, range, diff }: Problem, item: vscode.TestItem): vscode.TestMessage {
  const shown = diff === undefined ? new vscode.TestMessage(message) : vscode.TestMessage.diff(message, diff.expected, diff.actual);
  const place = range === undefined ? item.range : editorRange(range);
  if (item.uri !== undefined && place !== undefined) {
    shown.location = new vscode.Location(item.uri, place);
  }
  return shown;
}

export function editorRange({ start, end }: NonNullable<Problem['range']>): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}
