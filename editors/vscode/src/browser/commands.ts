/** The commands: those that need no program, and a message for the others. */

import * as vscode from 'vscode';

import type { Documents } from '../documents';
import { methods, type Range } from '../protocol';
import { LANGUAGE } from '../settings';
import { goToFailure } from '../suites/failures';
import { editorRange } from '../testing/report';
import type { Analysis } from './analysis';
import { toEditor } from './addresses';
import type { Pages } from './pages';

/** The argument of a command. Lenses and fixes have the addresses of the analysis. */
export interface Argument { uri?: string; case?: string; lint?: string }

type Command = (argument?: Argument) => Promise<void> | void;

/** The commands of the palette, and those of the analysis that lenses and fixes run. */
export function commandsHere(analysis: Analysis, documents: Documents, pages: Pages): Record<string, Command> {
  const onSuite = (act: (uri: string) => Promise<void>): Command => async (argument) => {
    const uri = argument?.uri === undefined ? activeSuite() : toEditor(argument.uri).toString();
    await (uri === undefined ? vscode.window.showInformationMessage('Open an eval suite first.') : act(uri));
  };
  const onCase = (act: (names: { uri: string; case: string }) => Promise<void>): Command => async (argument) => onSuite(async (uri) => {
    const id = argument?.case ?? await caseAtCursor(analysis, uri);
    await (id === undefined ? vscode.window.showInformationMessage('Place the cursor in a case first.') : act({ uri, case: id }));
  })(argument);
  const openResult: Command = (argument) => onCase((names) => documents.openResult(names))(argument);
  const openResults: Command = onSuite((uri) => documents.openResults(uri));
  const challenge: Command = onSuite((uri) => pages.show(`challenges of ${uri.replace(/^.*\//, '')}`, { command: 'eval-ls.challengeSuite', argument: { uri } }));
  return {
    'evalLs.nextFailure': () => goToFailure(analysis, 1),
    'evalLs.previousFailure': () => goToFailure(analysis, -1),
    'evalLs.openResults': openResults,
    'evalLs.openTranscript': openResult,
    'evalLs.challengeSuite': challenge,
    'evalLs.restartServer': () => analysis.restart(),
    'eval-ls.openResult': (argument) => (argument?.case === undefined ? openResults : openResult)(argument),
    'eval-ls.challengeSuite': challenge,
    'eval-ls.explainLint': (argument) => pages.show(argument?.lint ?? 'lint', { command: 'eval-ls.explainLint', argument: { lint: argument?.lint } }),
  };
}

/** The message of the other commands. `page` is the address of the documentation, if the project has one. */
export async function needsDesktop(page: string | undefined): Promise<void> {
  const message = 'Running needs the desktop edition of VS Code.';
  const chosen = await vscode.window.showInformationMessage(message, ...(page === undefined ? [] : [READ]));
  if (chosen === READ && page !== undefined) {
    await vscode.env.openExternal(vscode.Uri.parse(page));
  }
}

const READ = 'Open documentation';

function activeSuite(): string | undefined {
  const document = vscode.window.activeTextEditor?.document;
  return document?.languageId === LANGUAGE ? document.uri.toString() : undefined;
}

async function caseAtCursor(analysis: Analysis, uri: string): Promise<string | undefined> {
  const cursor = vscode.window.activeTextEditor?.selection.active;
  const cases = await analysis.request<{ id: string; range: Range }[] | null>(methods.proofs, { uri });
  return cases?.find(({ range }) => cursor !== undefined && editorRange(range).contains(cursor))?.id;
}
