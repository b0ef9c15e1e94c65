/** Reports the outcome of a case to a run of the Test Explorer. */

import * as vscode from 'vscode';

import { showsHints } from '../settings';
import type { Outcome, Problem } from './outcome';

/** `start` is the start of the case in its suite. */
export function report(
  run: vscode.TestRun,
  item: vscode.TestItem,
  { state, problems }: Outcome,
  start: vscode.Range | undefined,
  durationMs?: number,
): void {
  const messages = problems.map((problem) => messageOf(problem, item, start));
  switch (state) {
    case 'passed':
      run.passed(item, durationMs);
      break;
    case 'failed':
      run.failed(item, messages, durationMs);
      break;
    case 'errored':
      run.errored(item, messages, durationMs);
      break;
    case 'skipped':
      run.skipped(item);
  }
}

function messageOf({ message, range }: Problem, item: vscode.TestItem, start: vscode.Range | undefined): vscode.TestMessage {
  const shown = new vscode.TestMessage(message);
  const place = range === undefined ? item.range : editorRange(range);
  if (item.uri !== undefined && place !== undefined) {
    // VS Code draws messages over the hints of a line, so they move to a line without hints.
    shown.location = new vscode.Location(item.uri, showsHints(item.uri) ? start ?? place : place);
  }
  return shown;
}

export function editorRange({ start, end }: NonNullable<Problem['range']>): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}
