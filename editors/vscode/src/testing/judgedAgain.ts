/** Publishes verdicts that change without a run: on transcripts when a suite is opened, and after edits. */

import type { TestController, TestItem } from 'vscode';
import * as vscode from 'vscode';

import { methods, type CaseVerdict, type VerdictsResult } from '../protocol';
import type { Server } from '../server/server';
import { markOf, outcomeKey, outcomeOf } from './outcome';
import { report } from './report';
import type { TestTree } from './tree';

/** How long verdicts must stay the same before they are published: a person who types changes them with each key. */
const PAUSE_MS = 500;

export class JudgedAgain implements vscode.Disposable {
  /** What the Test Explorer shows, by the id of the item. */
  private readonly shown = new Map<string, string>();
  private readonly changedUris = new Set<string>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly controller: TestController, private readonly tree: TestTree, private readonly server: Server) {}

  dispose(): void {
    clearTimeout(this.timer);
  }

  changed(uris: readonly string[]): void {
    uris.forEach((uri) => { this.changedUris.add(uri); });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.publish().catch(() => undefined), PAUSE_MS);
  }

  /** Remembers what a run has published. */
  note(item: TestItem, key: string): void {
    this.shown.set(item.id, key);
  }

  private async publish(): Promise<void> {
    const uris = [...this.changedUris];
    this.changedUris.clear();
    const found: { item: TestItem; verdict: CaseVerdict }[] = [];
    for (const uri of uris) {
      const { cases } = await this.server.request<VerdictsResult>(methods.verdicts, { uri });
      for (const verdict of cases.filter(({ running }) => !running)) {
        const item = await this.tree.find(uri, verdict.id);
        if (item !== undefined && this.isNews(item, verdict)) {
          found.push({ item, verdict });
        }
      }
    }
    const judged = found.filter(({ verdict }) => verdict.status !== null);
    if (judged.length > 0) {
      const request = new vscode.TestRunRequest(judged.map(({ item }) => item), undefined, undefined, false, true);
      const run = this.controller.createTestRun(request, 'Judged again', false);
      judged.forEach(({ item, verdict }) => {
        report(run, item, outcomeOf(verdict), this.tree.start(item), verdict.durationMs ?? undefined);
        this.tree.mark(item, markOf(verdict));
      });
      run.end();
    }
    // A stale verdict is about other prompts, and a case without an answer has no verdict any more.
    const outdated = found.filter(({ verdict }) => verdict.stale || verdict.status === null).map(({ item }) => item);
    if (outdated.length > 0) {
      this.controller.invalidateTestResults(outdated);
    }
  }

  private isNews(item: TestItem, verdict: CaseVerdict): boolean {
    const key = outcomeKey(outcomeOf(verdict), markOf(verdict)) + (verdict.stale ? ' stale' : '');
    const before = this.shown.get(item.id);
    if (before === key || before === undefined && verdict.status === null) {
      return false;
    }
    this.shown.set(item.id, key);
    return true;
  }
}
