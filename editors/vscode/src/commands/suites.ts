/** The commands on suites and cases. Those of the server do the work; these say what they are about. */

import * as vscode from 'vscode';

import type { Documents } from '../documents';
import { methods, type RunParams, type VerdictsResult } from '../protocol';
import type { Server } from '../server/server';
import type { Cases, Given } from '../suites/cases';
import type { Names } from '../testing/selection';

/** The commands, by name. Each may be given what it is about. */
export function suiteCommands(server: Server, cases: Cases, documents: Documents): Record<string, (given: Given) => Promise<void>> {
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
  const run = (suite: RunParams['suites'][number]): Promise<unknown> => server.request(methods.run, { suites: [suite] } satisfies RunParams);
  return {
    'evalLs.runCase': onCase(({ uri, case: id }) => run({ uri, cases: [id] })),
    'evalLs.runSuite': async (given) => {
      const uri = cases.suite(given);
      if (uri !== undefined) {
        await run({ uri });
      }
    },
    'evalLs.runFailed': onSuite('eval-ls.runFailed'),
    'evalLs.stop': async () => { await server.request(methods.stop, {}); },
    'evalLs.openResult': onCase((names) => documents.openResult(names)),
    'evalLs.openTranscript': onCase((names) => documents.openTranscript(names)),
    'evalLs.compareTranscripts': onCase((names) => documents.compareTranscripts(names)),
    'evalLs.keepAnswer': onCase((names) => execute('eval-ls.acceptAsTranscript', names)),
    'evalLs.chooseTarget': async (given) => {
      const uri = cases.suite(given);
      if (uri !== undefined) {
        await chooseTarget(server, uri);
      }
    },
  };
}

/** Asks which target runs are to ask. */
async function chooseTarget(server: Server, uri: string): Promise<void> {
  const { target, targets } = await server.request<VerdictsResult>(methods.verdicts, { uri });
  const items = targets.map((label) => ({
    label,
    description: [label === target ? 'chosen' : '', label === 'replay' ? 'scores kept transcripts; asks nobody' : ''].filter((text) => text !== '').join(' · '),
  }));
  const chosen = await vscode.window.showQuickPick(items, { title: 'Which target shall runs ask?', placeHolder: 'Targets are defined in eval-ls.toml' });
  if (chosen !== undefined) {
    await execute('eval-ls.chooseTarget', { uri, target: chosen.label });
  }
}

/** Runs a command of the server, which the language client has registered. */
function execute(command: string, argument: object): Thenable<unknown> {
  return vscode.commands.executeCommand(command, argument);
}
