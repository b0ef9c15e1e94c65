/** Commands on suites and cases. They find the suite or case and call the commands of the server. */

import * as vscode from 'vscode';

import { complain } from '../complaint';
import type { Documents } from '../documents';
import { methods, type RunParams } from '../protocol';
import type { Server } from '../server/server';
import type { Cases, Given } from '../suites/cases';
import { goToFailure } from '../suites/failures';
import type { Names } from '../testing/selection';
import type { Transcripts } from '../transcripts';
import { chooseTarget } from './lists';

/** The commands by name. The argument may name the suite or case. */
export function suiteCommands(
  server: Server, cases: Cases, documents: Documents, transcripts: Transcripts,
): Record<string, (given: Given) => Promise<void>> {
  const onSuite = (act: (uri: string) => Thenable<unknown>) => async (given: Given): Promise<void> => {
    const uri = cases.suite(given);
    if (uri !== undefined) {
      await act(uri);
    }
  };
  const onCase = (act: (names: Required<Names>) => Thenable<unknown>) => async (given: Given): Promise<void> => {
    const names = await cases.case(given);
    if (names !== undefined) {
      await act(names);
    }
  };
  const run = (suite: RunParams['suites'][number]): Promise<unknown> =>
    server.request(methods.run, { suites: [suite] } satisfies RunParams);
  return {
    'evalLs.runCase': onCase(({ uri, case: id }) => run({ uri, cases: [id] })),
    'evalLs.runSuite': onSuite((uri) => run({ uri })),
    'evalLs.runFailed': onSuite((uri) => server.execute('eval-ls.runFailed', { uri })),
    'evalLs.challengeSuite': onSuite((uri) => server.execute('eval-ls.challengeSuite', { uri })),
    'evalLs.nextFailure': () => goToFailure(server, 1),
    'evalLs.previousFailure': () => goToFailure(server, -1),
    'evalLs.stop': async () => { await server.request(methods.stop, {}); },
    'evalLs.openResults': onSuite((uri) => documents.openResults(uri)),
    'evalLs.openTranscript': onCase((names) => transcripts.open(names)),
    'evalLs.compare': onCase((names) => documents.compare(names)),
    'evalLs.acceptAllAnswers': onSuite((uri) => accept(server, { uri })),
    'evalLs.acceptAnswer': onCase((names) => accept(server, names)),
    'evalLs.chooseTarget': onSuite((uri) => chooseTarget(server, uri)),
    'evalLs.showFailures': onSuite((uri) => chooseTarget(server, uri, true)),
  };
}

/** What `eval-ls.acceptAsTranscript` returns. */
type Accepted = { message?: string; undo?: boolean; compare?: boolean } | null;

/** Accepts the answer of a case, or all of a suite. The server asks before it replaces what is better. */
async function accept(server: Server, names: Names): Promise<void> {
  const done = await server.execute<Accepted>('eval-ls.acceptAsTranscript', names);
  if (done?.compare === true) {
    await vscode.commands.executeCommand('evalLs.compare', names);
  } else if (done?.message !== undefined && (done.undo === true || names.case === undefined)) {
    void offerUndo(server, `${done.message}.`, done.undo === true).catch(complain);
  }
}

async function offerUndo(server: Server, message: string, undo: boolean): Promise<void> {
  if (await vscode.window.showInformationMessage(message, ...undo ? [UNDO] : []) === UNDO) {
    await server.execute('eval-ls.undoAccept', {});
  }
}

const UNDO = 'Undo';
