import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { Summary } from './protocol';
import { statusLines, statusText, type Shown } from './statusText';

const NONE: Summary = { pass: 0, partial: 0, fail: 0, error: 0, notRun: 0, running: 0, queued: 0, total: 0, stale: 0, reason: null };

function shown(summary: Partial<Summary>, target: string, answeredBy: string[] = []): Shown {
  return { summary: { ...NONE, ...summary }, target, answeredBy };
}

describe('the status bar', () => {
  it('shows the most urgent counts first', () => {
    assert.equal(statusText(shown({ pass: 8, partial: 1, fail: 2, error: 1, notRun: 1, total: 13 }, 'replay')), '$(error) 2 fail, 1 error, 1 partial, 8 pass, 1 not run · replay');
  });
  it('shows how many verdicts are stale', () => {
    const stale = shown({ pass: 2, fail: 1, total: 3, stale: 1 }, 'replay');
    assert.equal(statusText(stale), '$(error) 1 fail, 2 pass (1 stale) · replay');
    assert.equal(statusLines(stale)[1], 'Stale verdicts: 1. Their cases have changed since the answers.');
  });
  it('shows that there are no cases', () => {
    assert.equal(statusText(shown({}, 'agent')), '$(beaker) no cases · agent');
  });
  it('draws no icon from the name of a target', () => {
    assert.equal(statusText(shown({}, '$(bug)')), '$(beaker) no cases · $ (bug)');
  });
  it('says whose answers the counts are about if the next run asks another target', () => {
    assert.equal(statusText(shown({ pass: 1, total: 1 }, 'new', ['old'])), '$(pass) 1 pass by old · next: new');
    assert.equal(statusText(shown({ pass: 1, total: 1 }, 'old', ['old'])), '$(pass) 1 pass · old');
  });
  it('has a tooltip with all counts', () => {
    assert.deepEqual(statusLines(shown({ pass: 1, running: 1, total: 2 }, 'agent', ['old'])), [
      '2 cases: 1 pass, 1 running', 'Answers of: old.', 'Target of the next run: agent. Click to select another.',
    ]);
    assert.equal(statusLines(shown({ fail: 1, total: 1 }, 'agent'))[0], '1 case: 1 fail');
  });
});
