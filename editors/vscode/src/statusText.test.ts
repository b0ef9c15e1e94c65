import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { Summary } from './protocol';
import { statusLines, statusText } from './statusText';

const NONE: Summary = { pass: 0, partial: 0, fail: 0, error: 0, notRun: 0, running: 0, total: 0 };

describe('the status bar', () => {
  it('says what needs looking at first', () => {
    assert.equal(statusText({ ...NONE, pass: 8, partial: 1, fail: 2, notRun: 1, total: 12 }, 'replay'), '$(error) 2 fail, 9 pass, 1 not run · replay');
  });
  it('says that there is nothing', () => {
    assert.equal(statusText(NONE, 'agent'), '$(beaker) no cases · agent');
  });
  it('takes no icon from a name', () => {
    assert.equal(statusText(NONE, '$(bug)'), '$(beaker) no cases · $ (bug)');
  });
  it('explains itself', () => {
    assert.deepEqual(statusLines({ ...NONE, pass: 1, running: 1, total: 2 }, 'agent'), ['2 cases: 1 pass, 1 running', 'Runs ask the target agent. Click to choose another.']);
    assert.equal(statusLines({ ...NONE, fail: 1, total: 1 }, 'agent')[0], '1 case: 1 fail');
  });
});
