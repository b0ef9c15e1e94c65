/** What a finished case means to the Test Explorer; plain data, so that it can be tested without an editor. */

import type { CheckFailure, RunEvent } from '../protocol';

export type CaseFinished = Extract<RunEvent, { kind: 'caseFinished' }>;

export interface Outcome {
  state: 'passed' | 'failed' | 'errored' | 'skipped';
  /** Why it failed or could not be judged: at least one where it did. */
  problems: Problem[];
}

export interface Problem {
  message: string;
  /** Where it stands in the suite; at the case's id where it concerns the whole case. */
  range?: CheckFailure['range'];
  /** To be shown as a diff, where there are both. */
  diff?: { expected: string; actual: string };
}

/** `PARTIAL` has passed, as it has in the exit status of a run; its output says what is open. */
export function outcomeOf({ status, failures, reason }: CaseFinished): Outcome {
  switch (status) {
    case 'PASS':
    case 'PARTIAL':
      return { state: 'passed', problems: [] };
    case 'CANCELLED':
      return { state: 'skipped', problems: [] };
    case 'FAIL':
      return { state: 'failed', problems: orElse(failures.map(problemOf), reason ?? 'A check failed.') };
    case 'ERROR':
      return { state: 'errored', problems: orElse([], reason ?? 'The case could not be judged.') };
  }
}

/** A case's answer and what was found, below a line that says whose it is. */
export function outputOf({ case: id, status, softScore, durationMs, output }: CaseFinished): string {
  const score = softScore === null ? '' : ` ${softScore.toFixed(2)}`;
  return `── ${id}: ${status}${score}, ${(durationMs / 1000).toFixed(1)} s ──\n${output.trimEnd()}\n\n`;
}

/** Text for the terminal that shows it: its line ends, and no control characters, which would do as they please. */
export function terminalText(text: string): string {
  return text.replace(/\r?\n|\r/g, '\r\n').replace(CONTROLS, visible);
}

function problemOf({ message, range, expected, actual }: CheckFailure): Problem {
  return expected === null || actual === null ? { message, range } : { message, range, diff: { expected, actual } };
}

function orElse(problems: Problem[], message: string): Problem[] {
  return problems.length > 0 ? problems : [{ message }];
}

// eslint-disable-next-line no-control-regex -- these are what it is about
const CONTROLS = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

function visible(control: string): string {
  const code = control.charCodeAt(0);
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : `\\u${code.toString(16).padStart(4, '0')}`;
}
