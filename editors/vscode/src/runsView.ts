/** The view of the kept runs: runs, their suites, and their cases. */

import * as vscode from 'vscode';

import { withoutLinks } from './message';
import type { Reports } from './reports';
import { methods, type CaseOfRun, type KeptRun, type ReportParams, type RunCasesResult, type RunsResult, type Status, type SuiteOfRun } from './protocol';
import type { Server } from './server/server';
import { shortTime } from './times';
import type { Transcripts } from './transcripts';

type Node =
  | { kind: 'run'; run: KeptRun }
  | { kind: 'suite'; run: KeptRun; suite: SuiteOfRun }
  | { kind: 'case'; run: KeptRun; suite: SuiteOfRun; case: CaseOfRun };

/** What a command is given: a row of the view, or what a lens names. */
type Given = Node | ReportParams;

const ICONS: Record<Status, vscode.ThemeIcon> = {
  PASS: new vscode.ThemeIcon('pass', new vscode.ThemeColor('testing.iconPassed')),
  PARTIAL: new vscode.ThemeIcon('circle-large-outline', new vscode.ThemeColor('testing.iconQueued')),
  FAIL: new vscode.ThemeIcon('error', new vscode.ThemeColor('testing.iconFailed')),
  ERROR: new vscode.ThemeIcon('warning', new vscode.ThemeColor('testing.iconErrored')),
};

export class RunsView implements vscode.TreeDataProvider<Node> {
  /** The runs that are shown. */
  private shown = '';
  private readonly changes = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changes.event;

  constructor(
    private readonly server: Server,
    private readonly reports: Reports,
    private readonly transcripts: Transcripts,
    subscriptions: vscode.ExtensionContext['subscriptions'],
  ) {
    const refresh = (): void => { this.refresh(); };
    subscriptions.push(
      this.changes, server.onUp(refresh), server.onDown(refresh), vscode.window.registerTreeDataProvider('evalLs.runs', this));
  }

  /** Shows the runs again, if they have changed: a row that is clicked must stay. */
  refresh(): void {
    void this.update().catch(() => undefined);
  }

  private async update(): Promise<void> {
    const now = this.server.isUp ? JSON.stringify(await this.runs()) : '';
    if (now !== this.shown) {
      this.shown = now;
      this.changes.fire();
    }
  }

  /** Commands on the rows of the view. From the palette, they ask for a run. */
  commands(): Record<string, (given?: Given) => Promise<void>> {
    return {
      'evalLs.openReport': async (given) => {
        const params = given === undefined ? await this.chosen() : isNode(given) ? { run: given.run.uri } : given;
        if (params !== undefined) {
          await this.reports.open(params);
        }
      },
      'evalLs.openRunAnswer': async (given) => {
        const node = nodeOf(given);
        if (node?.kind === 'case') {
          await this.transcripts.open({ uri: node.suite.uri, case: node.case.id, run: node.run.uri });
        }
      },
      'evalLs.acceptRunAnswer': async (given) => {
        const node = nodeOf(given);
        if (node?.kind === 'case') {
          await this.server.execute('eval-ls.acceptRunAnswer', { run: node.run.uri, uri: node.suite.uri, case: node.case.id });
          vscode.window.setStatusBarMessage(withoutLinks(`The answer of ${node.case.id} is the transcript now.`), 5000);
        }
      },
      'evalLs.refreshRuns': () => { this.refresh(); return Promise.resolve(); },
    };
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (!this.server.isUp) {
      return [];
    }
    switch (node?.kind) {
      case undefined:
        return (await this.runs()).map((run) => ({ kind: 'run', run }));
      case 'run': {
        const { suites } = await this.server.request<RunCasesResult>(methods.runCases, { run: node.run.uri });
        return suites.map((suite) => ({ kind: 'suite', run: node.run, suite }));
      }
      case 'suite':
        return node.suite.cases.map((each) => ({ kind: 'case', run: node.run, suite: node.suite, case: each }));
      case 'case':
        return [];
    }
  }

  getTreeItem(node: Node): vscode.TreeItem {
    switch (node.kind) {
      case 'run':
        return runItem(node.run);
      case 'suite':
        return item(node.suite.label, node.suite, 'runSuite', true);
      case 'case': {
        const shown = item(node.case.id, node.case, node.case.hasAnswer ? 'runCaseAnswered' : 'runCase', false);
        if (node.case.hasAnswer) {
          shown.command = { command: 'evalLs.openRunAnswer', title: 'Open answer', arguments: [node] };
        }
        return shown;
      }
    }
  }

  private async runs(): Promise<KeptRun[]> {
    return (await this.server.request<RunsResult>(methods.runs, {})).runs;
  }

  private async chosen(): Promise<ReportParams | undefined> {
    const run = await this.choose();
    return run === undefined ? undefined : { run: run.uri };
  }

  private async choose(): Promise<KeptRun | undefined> {
    const runs = await this.runs();
    const chosen = await vscode.window.showQuickPick(
      runs.map((run) => ({ label: run.counts, description: about(run), run })),
      { title: 'Select a run', placeHolder: runs.length === 0 ? 'No run is kept yet' : 'Runs, the last one first' });
    return chosen?.run;
  }
}

function isNode(given: Given): given is Node {
  return 'kind' in given;
}

function nodeOf(given: Given | undefined): Node | undefined {
  return given !== undefined && isNode(given) ? given : undefined;
}

/** What a row of a run says beside its counts. */
function about({ uri, target, startedAt, description }: KeptRun): string {
  // Runs of several folders look alike.
  const several = (vscode.workspace.workspaceFolders?.length ?? 0) > 1;
  const root = several ? vscode.workspace.getWorkspaceFolder(vscode.Uri.parse(uri))?.name ?? '' : '';
  return [root, target, shortTime(new Date(startedAt)), description].filter((part) => part !== '').join(' · ');
}

function runItem(run: KeptRun): vscode.TreeItem {
  const { counts, startedAt, state, status } = run;
  const shown = item(counts, { status, description: about(run) }, state === 'running' ? 'runRunning' : 'run', true);
  if (state !== 'ended') {
    shown.iconPath = new vscode.ThemeIcon(state === 'running' ? 'loading~spin' : 'circle-slash');
  }
  shown.tooltip = [counts, about(run), new Date(startedAt).toLocaleString()].join('\n');
  return shown;
}

function item(label: string, { status, description }: { status: Status | null; description: string }, context: string, opens: boolean): vscode.TreeItem {
  const { Collapsed, None } = vscode.TreeItemCollapsibleState;
  const shown = new vscode.TreeItem(label, opens ? Collapsed : None);
  shown.description = description;
  shown.contextValue = context;
  shown.iconPath = status === null ? new vscode.ThemeIcon('circle-outline') : ICONS[status];
  shown.tooltip = [label, status ?? 'not run', description].join('\n');
  return shown;
}
