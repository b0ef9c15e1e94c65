/** The Test Explorer: the tree, a run profile for each target, and runs on save. */

import * as vscode from 'vscode';

import { complain } from '../complaint';
import { methods, type RunEvent, type RunParams, type TestsChangedParams } from '../protocol';
import type { Server } from '../server/server';
import { CONFIG, LANGUAGE } from '../settings';
import { JudgedAgain } from './judgedAgain';
import { editorRange } from './report';
import { Runs } from './runs';
import { selection } from './selection';
import { TestTree, type Editor } from './tree';

/** What a run is asked for, beside its cases. */
interface Wanted {
  target?: string | undefined;
  /** The suite that was saved: then only its cases run that have no answer to their prompts. */
  saved?: vscode.Uri;
  /** A file of the program that was saved: then the suites of its folder run. */
  program?: vscode.Uri;
}

/** How many suites show verdicts before they are opened: the server reads each of them. */
const MOST_SUITES = 200;

export class Explorer implements vscode.Disposable {
  private readonly controller = vscode.tests.createTestController('eval-ls', 'Eval Suites');
  readonly tree: TestTree;
  private readonly runs: Runs;
  private readonly judged: JudgedAgain;
  private profiles: vscode.TestRunProfile[] = [];
  private targets: readonly string[] = [];

  constructor(private readonly server: Server, onFailed: (count: number) => void) {
    const editor: Editor = {
      controller: this.controller, uri: (uri) => vscode.Uri.parse(uri), tag: (id) => new vscode.TestTag(id),
      // Beside a range, VS Code shows a button that runs the case, which it cannot before the workspace is trusted.
      range: (range) => (vscode.workspace.isTrusted ? editorRange(range) : undefined),
      root: (uri) => ((vscode.workspace.workspaceFolders?.length ?? 0) > 1 ? vscode.workspace.getWorkspaceFolder(uri)?.name : undefined),
    };
    this.tree = new TestTree(editor, (params) => server.request(methods.tests, params), (uris) => { this.judged.changed(uris); });
    this.judged = new JudgedAgain(this.controller, this.tree, server, onFailed);
    this.runs = new Runs(this.controller, this.tree, server, this.judged);
    this.controller.resolveHandler = (item) => this.tree.resolve(item);
    this.controller.refreshHandler = () => this.tree.resolve();
  }

  /** Handles the server's notifications about tests. */
  listen(): vscode.Disposable[] {
    this.server.on(methods.testsChanged, ({ uris }: TestsChangedParams) => { this.tree.changedByKeys(uris); });
    return [
      this.server.onUp(() => void this.refill()),
      this.server.onDown(() => { this.runs.endAll(); }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => void this.refill()),
      // Not each key changes a verdict, and VS Code draws all of them again for one.
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document.languageId === LANGUAGE) {
          this.tree.wait();
          this.judged.wait();
        }
      }),
    ];
  }

  handle(event: RunEvent): void {
    this.runs.handle(event);
  }

  /** Shows verdicts that have changed without a run. */
  judgedAgain(uris: readonly string[]): void {
    this.judged.changed(uris);
  }

  /** Offers a run profile for each target, and none if the workspace is not trusted. */
  offer(targets: readonly string[]): void {
    const same = targets.length === this.targets.length && targets.every((target, place) => target === this.targets[place]);
    this.targets = targets;
    if (same && this.profiles.length > 0 || !vscode.workspace.isTrusted) {
      return;
    }
    this.profiles.forEach((profile) => { profile.dispose(); });
    this.profiles = [
      this.profile('Run', undefined),
      ...targets.map((target) => this.profile(`Run with ${target}`, target)),
    ];
  }

  dispose(): void {
    this.judged.dispose();
    this.tree.dispose();
    this.controller.dispose();
  }

  private async refill(): Promise<void> {
    this.offer(this.targets);
    await this.tree.resolve().catch(() => undefined);
    await this.tree.changed(this.tree.filled()).catch(() => undefined);
    this.judgeAll();
  }

  /** Shows the verdicts on the last answers, also of suites that are not open. */
  judgeAll(): void {
    this.judged.changed(this.tree.suiteUris().slice(0, MOST_SUITES));
  }

  private profile(label: string, target: string | undefined): vscode.TestRunProfile {
    const run = (request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> =>
      request.continuous === true ? this.runOnSaving(request, target, token) : this.run(request, { target });
    return this.controller.createRunProfile(label, vscode.TestRunProfileKind.Run, run, target === undefined, undefined, true);
  }

  private async run(request: vscode.TestRunRequest, { target, saved, program }: Wanted): Promise<void> {
    const chosen = request.include === undefined ? this.tree.all() : this.tree.meant(request.include);
    const suites = selection(chosen, this.tree.meant(request.exclude ?? []), (node) => this.tree.names(node as vscode.TestItem))
      .filter(({ uri }) => saved === undefined || vscode.Uri.parse(uri).toString() === saved.toString())
      .filter(({ uri }) => program === undefined || folderOf(vscode.Uri.parse(uri)) === folderOf(program));
    if (suites.length === 0) {
      return;
    }
    const params: RunParams = { suites, ...(target === undefined ? {} : { target }), ...(saved === undefined ? {} : { changed: true }) };
    try {
      await this.runs.start(request, params);
    } catch (error) {
      complain(error, 'Could not start the run');
    }
  }

  private runOnSaving(request: vscode.TestRunRequest, target: string | undefined, token: vscode.CancellationToken): Promise<void> {
    // An auto save is not a wish to ask the target: it also saves half a prompt.
    const asked = new Set<string>();
    const saving = vscode.Disposable.from(
      vscode.workspace.onWillSaveTextDocument(({ document, reason }) => {
        if (reason === vscode.TextDocumentSaveReason.Manual) {
          asked.add(document.uri.toString());
        }
      }),
      vscode.workspace.onDidSaveTextDocument((document) => {
        const { uri, languageId } = document;
        if (asked.delete(uri.toString()) && vscode.languages.match(CONFIG, document) === 0 && folderOf(uri) !== undefined) {
          void this.run(request, { target, ...languageId === LANGUAGE ? { saved: uri } : { program: uri } });
        }
      }),
    );
    token.onCancellationRequested(() => { saving.dispose(); });
    return Promise.resolve();
  }
}

function folderOf(uri: vscode.Uri): string | undefined {
  return vscode.workspace.getWorkspaceFolder(uri)?.uri.toString();
}
