import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { Summary } from './protocol';
import { statusLines, statusText } from './statusText';

const NONE: Summary = { pass: 0, partial: 0, fail: 0, error: 0, notRun: 0, running: 0, total: 0 };

describe('the status bar', () => {
  it('shows the most urgent counts first', () => {
    assert.equal(statusText({ ...NONE, pass: 8, partial: 1, fail: 2, notRun: 1, total: 12 }, 'replay'), '$(error) 2 fail, 9 pass, 1 not run · replay');
  });
  it('shows that there are no cases', () => {
    assert.equal(statusText(NONE, 'agent'), '$(beaker) no cases · agent');
  });
  it('draws no icon from the name of a target', () => {
    assert.equal(statusText(NONE, '$(bug)'), '$(beaker) no cases · $ (bug)');
  });
  it('has a tooltip with all counts', () => {
    assert.deepEqual(statusLines({ ...NONE, pass: 1, running: 1, total: 2 }, 'agent'), ['2 cases: 1 pass, 1 running', 'Target: agent. Click to select another.']);
    assert.equal(statusLines({ ...NONE, fail: 1, total: 1 }, 'agent')[0], '1 case: 1 fail');
  });
});
