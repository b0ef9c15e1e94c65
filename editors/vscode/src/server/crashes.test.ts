import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { Crashes, reasonOf } from './crashes';

describe('crashes', () => {
  it('prevent a restart after too many crashes in a short time', () => {
    const crashes = new Crashes();
    assert.deepEqual([0, 1, 2, 3, 4].map((moment) => crashes.mayRestart(moment)), [true, true, true, true, false]);
  });
  it('are forgotten after three minutes', () => {
    const crashes = new Crashes();
    [0, 1, 2, 3].forEach((moment) => crashes.mayRestart(moment));
    assert.equal(crashes.mayRestart(500_000), true);
  });
  it('have a reason', () => {
    assert.equal(reasonOf(null, 'SIGSEGV', ''), 'was killed by SIGSEGV');
    assert.equal(reasonOf(101, null, 'out of memory'), 'exited with status 101: out of memory');
  });
});
