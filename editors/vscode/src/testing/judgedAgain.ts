/** Publishes verdicts that change without a run: on transcripts when a suite is opened, and after edits. */

import type { TestController, TestItem } from 'vscode';
import * as vscode from 'vscode';

import { AfterPause } from '../afterPause';
import { methods, type CaseVerdict, type VerdictsResult } from '../protocol';
import type { Server } from '../server/server';
import { looksOf, markOf, terminalText, verdictText } from './outcome';
import { failed } from '../suites/failures';
import { report } from './report';
import type { TestTree } from './tree';

interface Judged { item: TestItem; verdict: CaseVerdict }

export class JudgedAgain implements vscode.Disposable {
  /** What the Test Explorer shows of a case. */
  private readonly shown = new WeakMap<TestItem, string>();
  /** The last verdicts on each suite. */
  private readonly verdicts = new Map<string, readonly CaseVerdict[]>();
  private readonly changes = new AfterPause((uris) => {
    this.publishing = this.publishing.then(() => this.publish(uris)).catch(() => undefined);
  });
  /** Verdicts are published one after the other. */
  private publishing: Promise<void> = Promise.resolve();

  constructor(
    private readonly controller: TestController,
    private readonly tree: TestTree,
    private readonly server: Server,
    private readonly onFailed: (count: number) => void,
  ) {}

  dispose(): void {
    this.changes.dispose();
  }

  changed(uris: readonly string[]): void {
    this.changes.add(uris);
  }

  /** A person types. */
  wait(): void {
    this.changes.wait();
  }

  /** Remembers what a run has published. */
  note(item: TestItem, looks: string): void {
    this.shown.set(item, looks);
  }

  /**
   * Adds the verdicts on all other cases to a run that ends. VS Code takes the counts and the badge from the last run, so each run has
   * all verdicts.
   */
  async complete(run: vscode.TestRun, cases: ReadonlySet<TestItem>, uris: ReadonlySet<string>): Promise<void> {
    // Changes of other suites are announced.
    await this.fetch(uris);
    const others = (await this.all()).filter(({ item, verdict }) => !cases.has(item) && verdict.status !== null);
    for (const { item, verdict } of others) {
      this.note(item, looksOf(verdict));
    }
    this.reportAll(run, others);
  }

  private async fetch(uris: Iterable<string>): Promise<void> {
    for (const uri of uris) {
      const result = await this.server.request<VerdictsResult>(methods.verdicts, { uri }).catch(() => undefined);
      this.verdicts.delete(uri);
      if (result !== undefined) {
        this.verdicts.set(uri, result.cases);
      }
    }
    this.onFailed(failed([...this.verdicts.values()].flat()).length);
  }

  private async publish(uris: readonly string[]): Promise<void> {
    await this.fetch(uris);
    const all = await this.all();
    const news = all.filter(({ item, verdict }) => this.isNews(item, verdict));
    if (news.length === 0) {
      return;
    }
    news.filter(({ verdict }) => verdict.status === null).forEach(({ item }) => { this.tree.forget(item); });
    const judged = all.filter(({ verdict }) => verdict.status !== null);
    const request = new vscode.TestRunRequest(judged.map(({ item }) => item), undefined, undefined, false, true);
    const run = this.controller.createTestRun(request, 'Judged again', false);
    this.reportAll(run, judged);
    for (const { item, verdict } of news.filter(({ verdict }) => verdict.status !== null)) {
      run.appendOutput(terminalText(verdictText(verdict)), undefined, item);
    }
    run.end();
  }

  private reportAll(run: vscode.TestRun, judged: readonly Judged[]): void {
    for (const { item, verdict } of judged) {
      report(run, item, verdict, verdict.durationMs ?? undefined);
      this.tree.mark(item, markOf(verdict));
    }
    // A stale verdict is about other prompts.
    const stale = judged.filter(({ verdict }) => verdict.stale).map(({ item }) => item);
    if (stale.length > 0) {
      this.controller.invalidateTestResults(stale);
    }
  }

  /** The verdicts on the cases that are not running. */
  private async all(): Promise<Judged[]> {
    const all: Judged[] = [];
    for (const [uri, verdicts] of this.verdicts) {
      const rows = await this.tree.cases(uri);
      if (rows.size === 0) {
        // The suite was removed.
        this.verdicts.delete(uri);
      }
      for (const verdict of verdicts.filter(({ running }) => !running)) {
        const item = rows.get(verdict.id);
        if (item !== undefined) {
          all.push({ item, verdict });
        }
      }
    }
    return all;
  }

  /** Whether the Test Explorer shows something else; from now on, it shows this. */
  private isNews(item: TestItem, verdict: CaseVerdict): boolean {
    const looks = looksOf(verdict);
    const before = this.shown.get(item);
    if (verdict.status === null) {
      return this.shown.delete(item);
    }
    this.shown.set(item, looks);
    return before !== looks;
  }
}
