/** Creates the language client and changes some defaults of its library. */

import * as vscode from 'vscode';
import {
  CloseAction, ErrorAction, LanguageClient, RevealOutputChannelOn,
  type CloseHandlerResult, type LanguageClientOptions, type Middleware, type StaticFeature,
} from 'vscode-languageclient/node';

import { CONFIG, DOCUMENT_SCHEME, LANGUAGE, SECTION, serverOptions } from '../settings';
import { methods, type AskParams } from '../protocol';
import type { ServerProcess } from './process';

export interface ClientSettings {
  log: vscode.LogOutputChannel;
  start: () => ServerProcess;
  /** Called when the process has ended unexpectedly; returns whether to restart it. */
  crashed: () => Promise<boolean>;
  middleware: Middleware;
}

export function createClient({ log, start, crashed, middleware }: ClientSettings): LanguageClient {
  const options: LanguageClientOptions = {
    documentSelector: [
      { scheme: 'file', language: LANGUAGE },
      // Not saved yet: it cannot run, but has everything else.
      { scheme: 'untitled', language: LANGUAGE },
      { scheme: 'file', ...CONFIG },
      // Transcripts have notes about the checks that depend on their lines.
      { scheme: 'file', language: 'json', pattern: '**/transcripts/**/*.json' },
      { scheme: DOCUMENT_SCHEME, language: 'json' },
    ],
    outputChannel: log,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    initializationOptions: () => ({ ...serverOptions(), trusted: vscode.workspace.isTrusted, runEvents: true, asks: true }),
    stdioOptions: { stdout: logLines, stderr: logLines },
    errorHandler: {
      // The end of the connection is reported, not each message that could not be sent.
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: async (): Promise<CloseHandlerResult> => ({
        action: (await crashed()) ? CloseAction.Restart : CloseAction.DoNotRestart,
        handled: true,
      }),
    },
    middleware: { ...middleware, workspace: { ...middleware.workspace, configuration: configuration } },
  };
  const client = new LanguageClient(SECTION, 'Eval Suites', () => Promise.resolve(start().child), options);
  client.registerFeature(withoutServerProgress);
  client.registerFeature({ ...passive, initialize: () => { offerImports(client); } });
  client.onRequest(methods.ask, ask);
  return client;
}

/** Asks a person. A modal dialog stays until it is answered. */
async function ask({ message, choices }: AskParams): Promise<string | null> {
  const [question = '', ...details] = message.split('\n');
  return await vscode.window.showWarningMessage(question, { modal: true, detail: details.join('\n') }, ...choices) ?? null;
}

/** Answers the server's request for its section, without empty settings. */
const configuration: NonNullable<NonNullable<Middleware['workspace']>['configuration']> = async (params, token, next) => {
  const answers = await next(params, token);
  if (!Array.isArray(answers)) {
    return answers;
  }
  return params.items.map((item, place): unknown =>
    item.section === SECTION
      ? serverOptions(item.scopeUri === undefined ? undefined : vscode.Uri.parse(item.scopeUri))
      : answers[place]);
};

const passive: StaticFeature = {
  fillClientCapabilities: () => undefined,
  initialize: () => undefined,
  getState: () => ({ kind: 'static' }),
  clear: () => undefined,
};

/** Disables the server's own progress: this extension shows runs with a stop button. */
const withoutServerProgress: StaticFeature = {
  ...passive,
  fillClientCapabilities: (capabilities) => { capabilities.window = { ...capabilities.window, workDoneProgress: false }; },
};

/** Requests code actions of JSON that may be a log. The server reads the file, so no text is sent. */
function offerImports(client: LanguageClient): void {
  const documentSelector = ['json', 'jsonl'].map((language) => ({ scheme: 'file', language }));
  const registerOptions = { documentSelector, codeActionKinds: ['eval-ls.import'] };
  client.getFeature('textDocument/codeAction').register({ id: 'eval-ls.import', registerOptions });
}

function logLines(input: NodeJS.ReadableStream, log: vscode.LogOutputChannel): void {
  input.on('data', (data: Buffer | string) => {
    data.toString().split('\n').filter((line) => line !== '').forEach((line) => { log.info(line); });
  });
}
