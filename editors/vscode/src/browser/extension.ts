/** The entry point of the extension in a browser: everything but runs. */

import * as vscode from 'vscode';
import type { Middleware } from 'vscode-languageclient/browser';

import { register } from '../commands/register';
import { complain } from '../complaint';
import { Documents } from '../documents';
import { methods, type VerdictsChangedParams } from '../protocol';
import { CONFIG, LANGUAGE, SECTION } from '../settings';
import { offerFormatting } from '../suites/formatting';
import { toEditor } from './addresses';
import { Analysis, settings } from './analysis';
import { commandsHere, needsDesktop, type Argument } from './commands';
import { Files } from './files';
import { Pages } from './pages';
import { ABOUT, Status } from './status';
import { Suites } from './suites';

/** The longest document that is analysed, in characters. */
const LONGEST = 10 << 20;

let analysis: Analysis | undefined;

interface Manifest { homepage?: string; contributes: { commands: { command: string }[] } }

export function activate({ extension, extensionUri, subscriptions }: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Eval Suites', { log: true });
  const { homepage, contributes } = extension.packageJSON as Manifest;
  const sent = new Set<string>();
  const middleware: Middleware = {
    didOpen: async (document, next) => {
      if (isAnalysed(document)) {
        sent.add(document.uri.toString());
        await next(document);
        await suites.opened(document);
      }
    },
    didChange: async (event, next) => (sent.has(event.document.uri.toString()) ? next(event) : undefined),
    didClose: async (document, next) => {
      if (sent.delete(document.uri.toString())) {
        await next(document);
        suites.closed(document);
      }
    },
    // Lenses that need the desktop are left out.
    provideCodeLenses: async (document, token, next) =>
      (await next(document, token))?.filter(({ command }) => command !== undefined && command.command in commands),
    executeCommand: async (command, args: unknown[]) => {
      const run = commands[command] ?? (() => needsDesktop(homepage));
      await Promise.resolve(run((args[0] ?? {}) as Argument)).catch(complain);
    },
  };
  const started = async (): Promise<void> => {
    files.clear();
    await Promise.all(vscode.workspace.textDocuments.filter(isAnalysed).map((document) => suites.configure(document)));
  };
  const server = analysis = new Analysis(extensionUri, log, middleware, started);
  const files = new Files((written) => { server.write(written); });
  const suites = new Suites(server, files, subscriptions);
  const documents = new Documents(server, subscriptions);
  offerFormatting(subscriptions);
  const pages = new Pages(server, subscriptions);
  const status = new Status(server, subscriptions);
  const commands = commandsHere(server, documents, pages);

  server.client.onNotification(methods.verdictsChanged, ({ uris }: VerdictsChangedParams) => {
    const changed = uris.map((uri) => toEditor(uri).toString());
    status.changed(changed);
    changed.forEach((uri) => { documents.refresh(uri); pages.refresh(uri); });
  });
  const own = Object.fromEntries(Object.entries(commands).filter(([name]) => name.startsWith('evalLs.')));
  const others = contributes.commands.map(({ command }) => [command, () => needsDesktop(homepage)] as const);
  register<Argument | undefined>(subscriptions, {
    ...Object.fromEntries(others),
    ...own,
    'evalLs.showLog': () => { log.show(); },
    'evalLs.showStatus': () => void vscode.window.showInformationMessage(ABOUT),
  });
  const startFor = (document: vscode.TextDocument): void => {
    if (server.client.needsStart() && isAnalysed(document) && mayBeSuite(document)) {
      server.client.start().catch(complain);
    }
  };
  subscriptions.push(
    log,
    vscode.workspace.onDidOpenTextDocument(startFor),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(SECTION) && server.client.isRunning()) {
        void server.client.sendNotification('workspace/didChangeConfiguration', { settings: { [SECTION]: settings() } });
      }
    }));
  vscode.workspace.textDocuments.forEach(startFor);
}

export function deactivate(): Promise<void> | undefined {
  return analysis?.stop();
}

/** Documents of the workspace, and suites that are not saved yet. */
function isAnalysed(document: vscode.TextDocument): boolean {
  const { uri, languageId } = document;
  const isHere = uri.scheme === 'untitled' ? languageId === LANGUAGE : vscode.workspace.getWorkspaceFolder(uri) !== undefined;
  return isHere && document.getText().length <= LONGEST;
}

/** Whether a document is reason enough to load the analysis: other JSON files are not. */
function mayBeSuite(document: vscode.TextDocument): boolean {
  const { uri, languageId } = document;
  return languageId === LANGUAGE || vscode.languages.match(CONFIG, document) > 0 || languageId === 'json' && (/eval/i.test(uri.path) || document.getText().includes('"cases"'));
}
