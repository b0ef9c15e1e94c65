/** Reports the status of a case to a run of the Test Explorer. */

import * as vscode from 'vscode';

import type { CheckFailure } from '../protocol';
import type { Ended } from './outcome';

/** `PARTIAL` counts as passed, as in the exit status of a run. Failed checks have diagnostics, so the Test Explorer has no messages. */
export function report(run: vscode.TestRun, item: vscode.TestItem, { status }: Pick<Ended, 'status'>, durationMs?: number): void {
  switch (status) {
    case 'PASS':
    case 'PARTIAL':
      run.passed(item, durationMs);
      break;
    case 'FAIL':
      run.failed(item, [], durationMs);
      break;
    case 'ERROR':
      run.errored(item, [], durationMs);
      break;
    case null:
    case 'CANCELLED':
      run.skipped(item);
  }
}

export function editorRange({ start, end }: CheckFailure['range']): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}
