/** Converts a finished case for the Test Explorer into plain data, which can be tested without an editor. */

import type { CaseVerdict, CheckFailure, RunEvent } from '../protocol';

export type CaseFinished = Extract<RunEvent, { kind: 'caseFinished' }>;

export interface Outcome {
  state: 'passed' | 'failed' | 'errored' | 'skipped';
  /** Reasons of a failure or an error; never empty for these states. */
  problems: Problem[];
}

export interface Problem {
  message: string;
  /** Place in the suite; the id of the case if it concerns the whole case. */
  range?: CheckFailure['range'];
  /** Shown as a diff if both texts exist. */
  diff?: { expected: string; actual: string };
}

/** `PARTIAL` counts as passed, as in the exit status of a run. */
export function outcomeOf({ status, failures, reason }: Pick<CaseFinished | CaseVerdict, 'status' | 'failures' | 'reason'>): Outcome {
  switch (status) {
    case null:
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

/** What distinguishes PARTIAL from PASS in the tree, where both have passed. */
export function markOf({ status, softScore }: Pick<CaseFinished | CaseVerdict, 'status' | 'softScore'>): string {
  return status === 'PARTIAL' ? `PARTIAL${softScore === null ? '' : ` ${softScore.toFixed(2)}`}` : '';
}

/** Equal for outcomes that look alike. */
export function outcomeKey({ state, problems }: Outcome, mark: string): string {
  return JSON.stringify([state, mark, state === 'failed' ? problems.map(({ message, range }) => [message, range]) : []]);
}

/** The answer and findings of a case, below a title line. */
export function outputOf({ case: id, status, softScore, durationMs, output }: CaseFinished): string {
  const score = softScore === null ? '' : ` ${softScore.toFixed(2)}`;
  return `── ${id}: ${status}${score}, ${(durationMs / 1000).toFixed(1)} s ──\n${output.trimEnd()}\n\n`;
}

/** Converts text for a terminal: CRLF line ends and no control characters. */
export function terminalText(text: string): string {
  return text.replace(/\r?\n|\r/g, '\r\n').replace(CONTROLS, visible);
}

function problemOf({ message, range, expected, actual }: CheckFailure): Problem {
  return expected === null || actual === null ? { message, range } : { message, range, diff: { expected, actual } };
}

function orElse(problems: Problem[], message: string): Problem[] {
  return problems.length > 0 ? problems : [{ message }];
}

// eslint-disable-next-line no-control-regex -- control characters are the subject
const CONTROLS = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

function visible(control: string): string {
  const code = control.charCodeAt(0);
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : `\\u${code.toString(16).padStart(4, '0')}`;
}
