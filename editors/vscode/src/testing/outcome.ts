/** Converts a verdict for the Test Explorer into plain data, which can be tested without an editor. */

import type { CaseVerdict, CheckFailure, RunEvent } from '../protocol';

export type CaseFinished = Extract<RunEvent, { kind: 'caseFinished' }>;

/** A case that has a verdict, or was stopped. */
export type Ended = Pick<CaseFinished | CaseVerdict, 'status' | 'label' | 'failures' | 'reason'>;

/** The verdict beside the icon in the tree; empty for a plain `PASS`. */
export function markOf({ label }: Pick<Ended, 'label'>): string {
  return label === null || label === 'PASS' ? '' : label;
}

/** Equal for verdicts that look alike. */
export function looksOf({ status, label, failures, reason }: Ended): string {
  return JSON.stringify([status, label, reason, failures.map(({ message }) => message)]);
}

/** The answer and findings of a case, below a title line. */
export function outputOf({ case: id, status, label, durationMs, output }: CaseFinished): string {
  return `── ${id}: ${label ?? status}, ${(durationMs / 1000).toFixed(1)} s ──\n${output.trimEnd()}\n\n`;
}

/** The findings of a case that was judged without a run, below a title line. */
export function verdictText({ id, label, failures, reason }: CaseVerdict): string {
  const problems = [...reason === null ? [] : [reason], ...failures.map((failure) => `✗ ${named(failure)}`)];
  return [`── ${id}: ${label ?? ''} ──`, ...problems, '', ''].join('\n');
}

/** Converts text for a terminal: CRLF line ends and no control characters. */
export function terminalText(text: string): string {
  return text.replace(/\r?\n|\r/g, '\r\n').replace(CONTROLS, visible);
}

/** A message that names its check. */
function named({ check, message }: CheckFailure): string {
  const [, name = check] = /^(?:format:|synthesis:|morning_brief:)?([^:]+)/.exec(check) ?? [];
  return `${name}: ${message}`;
}

// eslint-disable-next-line no-control-regex -- control characters are the subject
const CONTROLS = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

function visible(control: string): string {
  const code = control.charCodeAt(0);
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : `\\u${code.toString(16).padStart(4, '0')}`;
}
