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
import { chooseTarget, showFailures } from './lists';

/** The commands by name. The argument may name the suite or case. */
export function suiteCommands(
  server: Server, cases: Cases, documents: Documents, transcripts: Transcripts,
): Record<string, (given: Given) => Promise<void>> {
  const onSuite = (command: string) => async (given: Given): Promise<void> => {
    const uri = cases.suite(given);
    if (uri !== undefined) {
      await server.execute(command, { uri });
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
    'evalLs.runSuite': async (given) => {
      const uri = cases.suite(given);
      if (uri !== undefined) {
        await run({ uri });
      }
    },
    'evalLs.runFailed': onSuite('eval-ls.runFailed'),
    'evalLs.challengeSuite': onSuite('eval-ls.challengeSuite'),
    'evalLs.nextFailure': () => goToFailure(server, 1),
    'evalLs.previousFailure': () => goToFailure(server, -1),
    'evalLs.stop': async () => { await server.request(methods.stop, {}); },
    'evalLs.openResults': async (given) => {
      const uri = cases.suite(given);
      if (uri !== undefined) {
        await documents.openResults(uri);
      }
    },
    'evalLs.openTranscript': onCase((names) => transcripts.open(names)),
    'evalLs.compare': onCase((names) => documents.compare(names)),
    'evalLs.acceptAllAnswers': async (given) => {
      const uri = cases.suite(given);
      if (uri !== undefined) {
        await accept(server, { uri });
      }
    },
    'evalLs.acceptAnswer': onCase((names) => accept(server, names)),
    'evalLs.chooseTarget': async (given) => {
      const uri = cases.suite(given);
      if (uri !== undefined) {
        await chooseTarget(server, uri);
      }
    },
    'evalLs.showFailures': async (given) => {
      const uri = cases.suite(given);
      if (uri !== undefined) {
        await showFailures(server, uri);
      }
    },
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
