/** The entry point of the extension. */

import * as vscode from 'vscode';

import { addTarget } from './commands/addTarget';
import { importLogs, type GivenFile } from './commands/importLogs';
import { initialise, openFirstSuite } from './commands/init';
import { register } from './commands/register';
import { suiteCommands } from './commands/suites';
import { Documents } from './documents';
import { Reports } from './reports';
import { methods, type ReportParams, type RunEvent, type VerdictsChangedParams } from './protocol';
import { Server } from './server/server';
import { shownHere } from './shownHere';
import { changesProgram, SECTION, serverOptions } from './settings';
import { StatusBar } from './statusBar';
import { Transcripts } from './transcripts';
import { Cases } from './suites/cases';
import { offerFormatting } from './suites/formatting';
import { SuiteLanguage } from './suites/language';
import { Lenses } from './suites/lenses';
import { Explorer } from './testing/explorer';

let stop: (() => Promise<void>) | undefined;

export function activate({ extensionPath, subscriptions, workspaceState }: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Eval Suites', { log: true });
  const server = new Server(extensionPath, log, shownHere);
  const explorer: Explorer = new Explorer(server, (count) => { statusBar.failures(count); });
  const documents = new Documents(server, subscriptions);
  const statusBar: StatusBar = new StatusBar(server, (targets) => { explorer.offer(targets); }, subscriptions);
  const transcripts = new Transcripts(server, documents, workspaceState, subscriptions);
  const reports = new Reports(server, workspaceState, subscriptions);
  new SuiteLanguage(server, subscriptions);
  new Lenses(server, subscriptions);
  offerFormatting(subscriptions);

  server.on(methods.runEvent, (event: RunEvent) => { explorer.handle(event); });
  server.on(methods.verdictsChanged, ({ uris }: VerdictsChangedParams) => {
    statusBar.changed(uris);
    explorer.judgedAgain(uris);
    uris.forEach((uri) => { documents.refresh(uri); });
    transcripts.changed(uris);
  });

  server.on(methods.runsChanged, () => { explorer.judgeAll(); });

  const cases = new Cases(server, (item) => explorer.tree.names(item));
  register(subscriptions, suiteCommands(server, cases, documents, transcripts));
  register<ReportParams | undefined>(subscriptions, { 'evalLs.openReport': (params: ReportParams = {}) => reports.open(params) });
  register(subscriptions, {
    'evalLs.importConversations': (file: GivenFile, selected?: vscode.Uri[]) => importLogs(extensionPath, log, file, selected),
  });
  register(subscriptions, {
    'evalLs.init': () => initialise(extensionPath),
    'evalLs.addTarget': (suite?: vscode.Uri) => addTarget(server, extensionPath, suite),
    'evalLs.openFirstSuite': async () => { await openFirstSuite(); },
    'evalLs.runFirstSuite': async () => {
      const suite = await openFirstSuite();
      if (suite !== undefined) {
        await vscode.commands.executeCommand('evalLs.runSuite', suite);
      }
    },
    'evalLs.restartServer': () => server.restart(),
    'evalLs.showStatus': async () => {
      if (server.isUp) {
        await vscode.commands.executeCommand('eval-ls.showStatus', {});
      } else {
        log.show();
      }
    },
  });
  subscriptions.push(
    log, server, explorer, ...explorer.listen(),
    vscode.workspace.onDidGrantWorkspaceTrust(() => { server.notify(methods.trust, { trusted: true }); }),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (changesProgram(change)) {
        void server.restart();
      } else if (change.affectsConfiguration(SECTION)) {
        server.notify('workspace/didChangeConfiguration', { settings: { [SECTION]: serverOptions() } });
      }
    }),
  );
  stop = () => server.stop();
  void server.start();
}

export function deactivate(): Promise<void> | undefined {
  return stop?.();
}
