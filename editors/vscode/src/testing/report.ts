/** Reports the outcome of a case to a run of the Test Explorer. */

import * as vscode from 'vscode';

import type { Outcome, Problem } from './outcome';

export function report(run: vscode.TestRun, item: vscode.TestItem, { state, problems }: Outcome, durationMs?: number): void {
  const messages = problems.map((problem) => messageOf(problem, item));
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

/** VS Code draws the message at the end of the line that failed, over the hint that says the same. */
function messageOf({ message, range }: Problem, item: vscode.TestItem): vscode.TestMessage {
  const shown = new vscode.TestMessage(message);
  const place = range === undefined ? item.range : editorRange(range);
  if (item.uri !== undefined && place !== undefined) {
    shown.location = new vscode.Location(item.uri, place);
  }
  return shown;
}

export function editorRange({ start, end }: NonNullable<Problem['range']>): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}
