/** A suite's verdicts in a few words. */

import type { Summary } from './protocol';

/** For the status bar: one sign, and what needs looking at first. */
export function statusText(summary: Summary, target: string): string {
  const { pass, partial, fail, error, notRun, running, total } = summary;
  const counts = [
    ...count(running, 'running'), ...count(fail, 'fail'), ...count(error, 'not judged'),
    ...count(pass + partial, 'pass'), ...count(notRun, 'not run'),
  ];
  return `$(${sign(summary)}) ${total === 0 ? 'no cases' : counts.join(', ')} · ${plain(target)}`;
}

/** For its tooltip: all of it, in a sentence a line. */
export function statusLines({ pass, partial, fail, error, notRun, running, total }: Summary, target: string): string[] {
  return [
    `${total} ${total === 1 ? 'case' : 'cases'}: ` + ([
      ...count(pass, 'pass'), ...count(partial, 'pass in part'), ...count(fail, 'fail'),
      ...count(error, 'could not be judged'), ...count(notRun, 'not run'), ...count(running, 'running'),
    ].join(', ') || 'none'),
    `Runs ask the target ${plain(target)}. Click to choose another.`,
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

/** A target's name is somebody's text, and `$(…)` would draw an icon. */
function plain(name: string): string {
  return name.replaceAll('$(', '$ (');
}
