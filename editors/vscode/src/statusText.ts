/** Summarizes the verdicts of a suite. */

import type { Summary } from './protocol';

/** Text of the status bar: an icon, then counts, the most urgent first. */
export function statusText(summary: Summary, target: string): string {
  const { pass, partial, fail, error, notRun, running, total } = summary;
  const counts = [
    ...count(running, 'running'), ...count(fail, 'fail'), ...count(error, 'not judged'),
    ...count(pass + partial, 'pass'), ...count(notRun, 'not run'),
  ];
  return `$(${sign(summary)}) ${total === 0 ? 'no cases' : counts.join(', ')} · ${plain(target)}`;
}

/** Lines of the tooltip. */
export function statusLines({ pass, partial, fail, error, notRun, running, total }: Summary, target: string): string[] {
  return [
    `${total} ${total === 1 ? 'case' : 'cases'}: ` + ([
      ...count(pass, 'pass'), ...count(partial, 'pass in part'), ...count(fail, 'fail'),
      ...count(error, 'could not be judged'), ...count(notRun, 'not run'), ...count(running, 'running'),
    ].join(', ') || 'none'),
    `Target: ${plain(target)}. Click to select another.`,
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
