/** The language client: what it is told at the start, and where it departs from the library's ways. */

import * as vscode from 'vscode';
import {
  CloseAction, ErrorAction, LanguageClient, RevealOutputChannelOn,
  type CloseHandlerResult, type LanguageClientOptions, type Middleware, type StaticFeature,
} from 'vscode-languageclient/node';

import { SECTION, serverOptions } from '../settings';
import { LANGUAGE } from '../suites/language';
import type { ServerProcess } from './process';

export interface ClientWishes {
  log: vscode.LogOutputChannel;
  start: () => ServerProcess;
  /** The process ended unasked. Says whether it is to be started again. */
  crashed: () => Promise<boolean>;
  middleware: Middleware;
}

export function createClient({ log, start, crashed, middleware }: ClientWishes): LanguageClient {
  const options: LanguageClientOptions = {
    documentSelector: [{ scheme: 'file', language: LANGUAGE }],
    outputChannel: log,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    initializationOptions: () => ({ ...serverOptions(), trusted: vscode.workspace.isTrusted, runEvents: true }),
    stdioOptions: { stdout: logLines, stderr: logLines },
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue }),
      closed: async (): Promise<CloseHandlerResult> => ({
        action: (await crashed()) ? CloseAction.Restart : CloseAction.DoNotRestart,
        handled: true,
      }),
    },
    middleware: { ...middleware, workspace: { ...middleware.workspace, configuration: configuration } },
  };
  const client = new LanguageClient(SECTION, 'Eval Suites', () => Promise.resolve(start().child), options);
  client.registerFeature(withoutServerProgress);
  return client;
}

/** The server asks for its section; settings that are empty say nothing, and are left out. */
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

/** Runs are shown by this extension, with a button that stops them; the server's own progress would be a second one. */
const withoutServerProgress: StaticFeature = {
  fillClientCapabilities: (capabilities) => { capabilities.window = { ...capabilities.window, workDoneProgress: false }; },
  initialize: () => undefined,
  getState: () => ({ kind: 'static' }),
  clear: () => undefined,
};

function logLines(input: NodeJS.ReadableStream, log: vscode.LogOutputChannel): void {
  input.on('data', (data: Buffer | string) => {
    data.toString().split('\n').filter((line) => line !== '').forEach((line) => { log.info(line); });
  });
}
