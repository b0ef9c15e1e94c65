import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { Summary } from './protocol';
import { statusLines, statusText, type Shown } from './statusText';

const NONE: Summary = { pass: 0, partial: 0, fail: 0, error: 0, notRun: 0, running: 0, queued: 0, total: 0, stale: 0, reason: null };

function shown(summary: Partial<Summary>, about: string, cases: Shown['cases'] = []): Shown {
  return { summary: { ...NONE, ...summary }, about, target: 'agent', cases };
}

describe('the status bar', () => {
  it('shows the most urgent counts first', () => {
    assert.equal(statusText(shown({ pass: 8, partial: 1, fail: 2, error: 1, notRun: 1, total: 13 }, '· replay')), '$(error) 2 failed, 1 error, 1 partial, 8 passed, 1 not run · replay');
  });
  it('shows how many verdicts are stale', () => {
    const stale = shown({ pass: 2, fail: 1, total: 3, stale: 1 }, '· replay');
    assert.equal(statusText(stale), '$(error) 1 failed, 2 passed (1 stale) · replay');
    assert.equal(statusLines(stale)[1], 'Stale verdicts: 1. Their cases have changed since the answers.');
  });
  it('shows that there are no cases', () => {
    assert.equal(statusText(shown({}, '· agent')), '$(beaker) no cases · agent');
  });
  it('draws no icon from the name of a target', () => {
    assert.equal(statusText(shown({}, '· $(bug)')), '$(beaker) no cases · $ (bug)');
  });
  it('shows running and queued cases', () => {
    assert.equal(statusText(shown({ running: 3, queued: 2, fail: 1, total: 4 }, '· agent')), '$(loading~spin) 1 running, 2 queued, 1 failed · agent');
  });
  it('shows why a case could not be judged', () => {
    const summary = { error: 1, pass: 1, total: 2, reason: 'last run failed: no key' };
    assert.equal(statusText(shown(summary, '· broken')), '$(warning) 1 error, 1 passed · broken · last run failed: no key');
  });
  it('cuts a long reason', () => {
    const summary = { error: 1, pass: 1, total: 2, reason: `last run failed: ${'no key '.repeat(9)}` };
    const text = statusText(shown(summary, 'by broken, old · next: broken'));
    assert.equal(text, '$(warning) 1 error, 1 passed by broken, old · next: broken · last run failed: no key no ke…');
  });
  it('has a tooltip with all counts and the reasons of errors', () => {
    const cases = Array.from({ length: 6 }, (_, index) => ({ id: `A${index}`, status: 'ERROR' as const, running: false, reason: 'no key' }));
    assert.deepEqual(statusLines(shown({ error: 6, running: 1, total: 7 }, '· agent', cases)), [
      '7 cases: 1 running, 6 errors · agent', 'A0: no key', 'A1: no key', 'A2: no key', 'A3: no key', 'A4: no key', 'and 1 more',
      'Target of the next run: agent. Click to go to a failed case, or to select another.',
    ]);
    assert.equal(statusLines(shown({ pass: 1, total: 1 }, '· agent'))[1], 'Target of the next run: agent. Click to select another.');
    assert.equal(statusLines(shown({ fail: 1, total: 1 }, '· agent'))[0], '1 case: 1 failed · agent');
  });
});
