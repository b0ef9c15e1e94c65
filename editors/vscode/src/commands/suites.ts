/** Commands on suites and cases. They find the suite or case and call the commands of the server. */

import * as vscode from 'vscode';

import type { Documents } from '../documents';
import { methods, type RunParams, type VerdictsResult } from '../protocol';
import type { Server } from '../server/server';
import type { Cases, Given } from '../suites/cases';
import { goToFailure } from '../suites/failures';
import type { Names } from '../testing/selection';
import type { Transcripts } from '../transcripts';

/** The commands by name. The argument may name the suite or case. */
export function suiteCommands(
  server: Server, cases: Cases, documents: Documents, transcripts: Transcripts,
): Record<string, (given: Given) => Promise<void>> {
  const onSuite = (command: string) => async (given: Given): Promise<void> => {
    const uri = cases.suite(given);
    if (uri !== undefined) {
      await execute(command, { uri });
    }
  };
  const onCase = (act: (names: Required<Names>) => Thenable<unknown>) => async (given: Given): Promise<void> => {
    const names = await cases.case(given);
    if (names !== undefined) {
      await act(names);
    }
  };
  const run = (suite: RunParams['suites'][number], record = false): Promise<unknown> =>
    server.request(methods.run, { suites: [suite], record } satisfies RunParams);
  return {
    'evalLs.runCase': onCase(({ uri, case: id }) => run({ uri, cases: [id] })),
    'evalLs.runSuite': async (given) => {
      const uri = cases.suite(given);
      if (uri !== undefined) {
        await run({ uri });
      }
    },
    'evalLs.runCaseAndAccept': onCase(({ uri, case: id }) => run({ uri, cases: [id] }, true)),
    'evalLs.runSuiteAndAccept': async (given) => {
      const uri = cases.suite(given);
      if (uri !== undefined) {
        await run({ uri }, true);
      }
    },
    'evalLs.runFailed': onSuite('eval-ls.runFailed'),
    'evalLs.challengeSuite': onSuite('eval-ls.challengeSuite'),
    'evalLs.nextFailure': () => goToFailure(server, 1),
    'evalLs.previousFailure': () => goToFailure(server, -1),
    'evalLs.stop': async () => { await server.request(methods.stop, {}); },
    'evalLs.openResult': onCase((names) => documents.openResult(names)),
    'evalLs.openTranscript': onCase((names) => transcripts.open(names)),
    'evalLs.openTranscriptJson': onCase((names) => documents.openTranscript(names)),
    'evalLs.compareTranscripts': onCase((names) => documents.compareTranscripts(names)),
    'evalLs.compareWithBaseline': onCase((names) => documents.compareWithBaseline(names)),
    'evalLs.acceptAllAnswers': onSuite('eval-ls.acceptAll'),
    'evalLs.acceptAnswer': onCase((names) => execute('eval-ls.acceptAsTranscript', names)),
    'evalLs.chooseTarget': async (given) => {
      const uri = cases.suite(given);
      if (uri !== undefined) {
        await chooseTarget(server, uri);
      }
    },
  };
}

/** Asks the user for the target of runs. */
async function chooseTarget(server: Server, uri: string): Promise<void> {
  const { target, targets } = await server.request<VerdictsResult>(methods.verdicts, { uri });
  const items = targets.map((label) => ({
    label,
    description: [label === target ? 'selected' : '', label === 'replay' ? 'scores stored transcripts' : ''].filter((text) => text !== '').join(' · '),
  }));
  const chosen = await vscode.window.showQuickPick(items, { title: 'Select the target for runs', placeHolder: 'Targets are defined in eval-ls.toml' });
  if (chosen !== undefined) {
    await execute('eval-ls.chooseTarget', { uri, target: chosen.label });
  }
}

/** Runs a command of the server. The language client has registered it. */
function execute(command: string, argument: object): Thenable<unknown> {
  return vscode.commands.executeCommand(command, argument);
}
