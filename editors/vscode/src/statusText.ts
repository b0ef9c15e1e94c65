/** A suite's verdicts in a few words. */

import type { Summary } from './protocol';

/** For the status bar: what needs looking at first. */
export function statusText({ pass, partial, fail, error, notRun, running, total }: Summary, target: string): string {
  const parts = [
    running > 0 ? `$(loading~spin) ${running} running` : '',
    fail > 0 ? `$(error) ${fail} fail` : '',
    error > 0 ? `$(warning) ${error} not judged` : '',
    pass + partial > 0 ? `$(pass) ${pass + partial} pass` : '',
    notRun > 0 ? `${notRun} not run` : '',
  ].filter((part) => part !== '');
  const summary = total === 0 ? 'no cases' : parts.join('  ');
  return `$(beaker) ${summary} · ${plain(target)}`;
}

/** For its tooltip: all of it, in a sentence a line. */
export function statusLines({ pass, partial, fail, error, notRun, running, total }: Summary, target: string): string[] {
  const count = (number: number, what: string): string[] => (number === 0 ? [] : [`${number} ${what}`]);
  return [
    `${total} ${total === 1 ? 'case' : 'cases'}: ` + ([
      ...count(pass, 'pass'), ...count(partial, 'pass in part'), ...count(fail, 'fail'),
      ...count(error, 'could not be judged'), ...count(notRun, 'not run'), ...count(running, 'running'),
    ].join(', ') || 'none'),
    `Runs ask the target ${plain(target)}. Click to choose another.`,
  ];
}

/** A target's name is somebody's text, and `$(…)` would draw an icon. */
function plain(name: string): string {
  return name.replaceAll('$(', '$ (');
}
