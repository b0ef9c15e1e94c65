/** Summarizes the verdicts of a suite. */

import type { Summary } from './protocol';

/** What the status bar shows. */
export interface Shown {
  summary: Summary;
  /** The target of the next run. */
  target: string;
  /** The targets whose answers were judged. */
  answeredBy: readonly string[];
}

/** Text of the status bar: an icon, then counts, the most urgent first, then the target of the next run. */
export function statusText({ summary, target, answeredBy }: Shown): string {
  const { pass, partial, fail, error, notRun, running, total, stale } = summary;
  const counts = [
    ...count(running, 'running'), ...count(fail, 'fail'), ...count(error, 'error'),
    ...count(partial, 'partial'), ...count(pass, 'pass'), ...count(notRun, 'not run'),
  ];
  const others = answeredBy.filter((name) => name !== target);
  // Counts of another target's answers must not look like those of the selected one.
  const by = others.length === 0 ? '' : ` by ${answeredBy.map(plain).join(', ')}`;
  const old = stale > 0 ? ` (${stale} stale)` : '';
  return `$(${sign(summary)}) ${total === 0 ? 'no cases' : counts.join(', ')}${old}${by} · ${by === '' ? '' : 'next: '}${plain(target)}`;
}

/** Lines of the tooltip. */
export function statusLines({ summary, target, answeredBy }: Shown): string[] {
  const { pass, partial, fail, error, notRun, running, total } = summary;
  return [
    `${total} ${total === 1 ? 'case' : 'cases'}: ` + ([
      ...count(pass, 'pass'), ...count(partial, 'partial'), ...count(fail, 'fail'),
      ...count(error, 'error'), ...count(notRun, 'not run'), ...count(running, 'running'),
    ].join(', ') || 'none'),
    ...(summary.stale > 0 ? [`Stale verdicts: ${summary.stale}. Their cases have changed since the answers.`] : []),
    ...(answeredBy.length === 0 ? [] : [`Answers of: ${answeredBy.map(plain).join(', ')}.`]),
    `Target of the next run: ${plain(target)}. Click to select another.`,
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
