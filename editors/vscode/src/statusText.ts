/** Summarizes the verdicts of a suite. */

import type { CaseVerdict, Summary } from './protocol';

/** What the status bar shows. */
export interface Shown {
  summary: Summary;
  /** What the counts are about: the target, and that of the next run if it is another one. */
  about: string;
  /** The target of the next run. */
  target: string;
  cases: readonly Pick<CaseVerdict, 'id' | 'status' | 'running' | 'reason'>[];
}

/** The longest text, in characters. VS Code shows an item on at most 40 % of the window's width, without an ellipsis. */
const LONGEST = 80;

/** How many errors the tooltip explains. */
const EXPLAINED = 5;

/** Text of the status bar: an icon, then counts, the most urgent first, what they are about, and why a case could not be judged. */
export function statusText({ summary, about }: Shown): string {
  const { total, stale, reason } = summary;
  const old = stale > 0 ? ` (${stale} stale)` : '';
  const why = reason === null ? '' : ` · ${plain(reason)}`;
  return `$(${sign(summary)}) ${cut(`${total === 0 ? 'no cases' : counts(summary).join(', ')}${old} ${plain(about)}${why}`)}`;
}

/** Lines of the tooltip. */
export function statusLines({ summary, about, target, cases }: Shown): string[] {
  const { total, stale, fail, error } = summary;
  const errors = cases.filter(({ status, running }) => status === 'ERROR' && !running);
  return [
    `${total} ${total === 1 ? 'case' : 'cases'}: ${counts(summary).join(', ') || 'none'} ${plain(about)}`,
    ...(stale > 0 ? [`Stale verdicts: ${stale}. Their cases have changed since the answers.`] : []),
    ...errors.slice(0, EXPLAINED).map(({ id, reason }) => `${id}: ${reason ?? 'ERROR'}`),
    ...(errors.length > EXPLAINED ? [`and ${errors.length - EXPLAINED} more`] : []),
    `Target of the next run: ${plain(target)}. Click to ${fail + error > 0 ? 'go to a failed case, or to ' : ''}select another.`,
  ];
}

/** The number of cases in each state, the most urgent state first. */
function counts({ pass, partial, fail, error, notRun, running, queued }: Summary): string[] {
  return [
    ...count(running - queued, 'running'), ...count(queued, 'queued'), ...count(fail, 'failed'), ...count(error, error === 1 ? 'error' : 'errors'),
    ...count(partial, 'partial'), ...count(pass, 'passed'), ...count(notRun, 'not run'),
  ];
}

function sign({ pass, partial, fail, error, running }: Summary): string {
  if (running > 0) {
    return 'loading~spin';
  }
  if (fail > 0) {
    return 'error';
  }
  return error > 0 ? 'warning' : pass + partial > 0 ? 'pass' : 'beaker';
}

function count(number: number, what: string): string[] {
  return number === 0 ? [] : [`${number} ${what}`];
}

/** In the status bar, `$(…)` draws an icon; a target's name must not. */
function plain(name: string): string {
  return name.replaceAll('$(', '$ (');
}

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1).trimEnd()}…` : text;
}
