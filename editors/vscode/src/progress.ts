/** Shows a notification with a stop button for each run that takes longer than a moment. */

import * as vscode from 'vscode';

import { methods, type RunEvent } from './protocol';
import type { Server } from './server/server';
import { withoutLinks } from './message';

/** Shorter runs have no notification. */
const MOMENT_MS = 700;

interface Shown {
  cases: number;
  finished: number;
  latest: string;
  report: () => void;
  end: () => void;
}

export class RunProgress {
  private readonly runs = new Map<number, Shown>();

  constructor(private readonly server: Server) {}

  handle(event: RunEvent): void {
    if (event.kind === 'started') {
      this.begin(event.run, event.items.length, event.target);
      return;
    }
    const run = this.runs.get(event.run);
    if (run === undefined) {
      return;
    }
    switch (event.kind) {
      case 'caseStarted':
        run.latest = event.case;
        break;
      case 'caseProgress':
        run.latest = `${event.case}: ${event.message}`;
        break;
      case 'caseFinished':
        run.finished += 1;
        break;
      case 'finished':
        run.end();
        this.runs.delete(event.run);
        return;
    }
    run.report();
  }

  endAll(): void {
    this.runs.forEach(({ end }) => { end(); });
    this.runs.clear();
  }

  private begin(id: number, cases: number, target: string): void {
    let end = (): void => undefined;
    const over = new Promise<void>((resolve) => { end = resolve; });
    const run: Shown = { cases, finished: 0, latest: '', report: () => undefined, end };
    this.runs.set(id, run);
    const timer = setTimeout(() => { this.show(id, run, target, over); }, MOMENT_MS);
    void over.then(() => { clearTimeout(timer); });
  }

  private show(id: number, run: Shown, target: string, over: Promise<void>): void {
    const title = withoutLinks(`Running on ${target}`);
    void vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, cancellable: true, title }, (progress, token) => {
      let reported = 0;
      run.report = () => {
        const increment = ((run.finished - reported) / Math.max(run.cases, 1)) * 100;
        reported = run.finished;
        progress.report({ increment, message: withoutLinks(`${run.finished} of ${run.cases}${run.latest === '' ? '' : ` · ${run.latest}`}`) });
      };
      run.report();
      token.onCancellationRequested(() => void this.server.request(methods.stop, { run: id }).catch(() => undefined));
      return over;
    });
  }
}
