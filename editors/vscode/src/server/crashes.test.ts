import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { Crashes, reasonOf } from './crashes';

describe('crashes', () => {
  it('stop the restarts when there are too many within a while', () => {
    const crashes = new Crashes();
    assert.deepEqual([0, 1, 2, 3, 4].map((moment) => crashes.mayRestart(moment)), [true, true, true, true, false]);
  });
  it('are forgotten after a while', () => {
    const crashes = new Crashes();
    [0, 1, 2, 3].forEach((moment) => crashes.mayRestart(moment));
    assert.equal(crashes.mayRestart(500_000), true);
  });
  it('say why', () => {
    assert.equal(reasonOf(null, 'SIGSEGV', ''), 'was ended by SIGSEGV');
    assert.equal(reasonOf(101, null, 'out of memory'), 'ended with status 101: out of memory');
  });
});
