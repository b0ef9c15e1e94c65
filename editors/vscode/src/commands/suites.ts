/** Commands on suites and cases. They find the suite or case and call the commands of the server. */

import * as vscode from 'vscode';

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
        await acceptAll(server, uri);
      }
    },
    'evalLs.acceptAnswer': onCase((names) => server.execute('eval-ls.acceptAsTranscript', names)),
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

/** What `eval-ls.acceptAll` returns. */
interface Accepted { accepted: number; replaced: number; notPassed: number }

/** Accepts all answers of a suite. Asks first if transcripts would be replaced, or if an answer does not pass. */
async function acceptAll(server: Server, uri: string): Promise<void> {
  const found = await server.execute<Accepted>('eval-ls.acceptAll', { uri, onlyCount: true });
  const doubts = [
    ...(found.replaced === 0 ? [] : [`${found.replaced} of them ${found.replaced === 1 ? 'replaces a transcript' : 'replace transcripts'}.`]),
    ...(found.notPassed === 0 ? [] : [`${found.notPassed} of them ${found.notPassed === 1 ? 'does' : 'do'} not pass.`]),
  ];
  const question = `Accept ${answers(found.accepted)} as ${found.accepted === 1 ? 'a transcript' : 'transcripts'}?`;
  if (doubts.length > 0 && await vscode.window.showWarningMessage(question, { modal: true, detail: doubts.join('\n') }, 'Accept') !== 'Accept') {
    return;
  }
  const done = await server.execute<Accepted>('eval-ls.acceptAll', { uri });
  void vscode.window.showInformationMessage(`${answers(done.accepted)} accepted.`);
}

function answers(count: number): string {
  return count === 1 ? '1 answer' : `${count} answers`;
}
