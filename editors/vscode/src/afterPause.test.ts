import assert from 'node:assert/strict';
import { it, mock } from 'node:test';

import { AfterPause } from './afterPause';

it('collects URIs until there is a pause', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const acted: string[][] = [];
  const changes = new AfterPause((uris) => { acted.push(uris); });
  changes.wait();
  changes.add(['a', 'b']);
  mock.timers.tick(400);
  changes.wait();
  mock.timers.tick(400);
  assert.deepEqual(acted, []);
  assert.deepEqual([changes.take('b'), changes.take('b')], [true, false]);
  mock.timers.tick(100);
  assert.deepEqual(acted, [['a']]);
  mock.timers.tick(1000);
  assert.equal(acted.length, 1);
  mock.timers.reset();
});
