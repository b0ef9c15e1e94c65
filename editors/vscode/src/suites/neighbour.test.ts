import assert from 'node:assert/strict';
import { it } from 'node:test';

import { neighbour } from './neighbour';

it('the next and the previous line, around the ends', () => {
  const next = (from: number): number | undefined => neighbour([3, 8], from, 1);
  const previous = (from: number): number | undefined => neighbour([3, 8], from, -1);
  assert.deepEqual([next(0), next(3), next(5), next(8)], [0, 1, 1, 0]);
  assert.deepEqual([previous(9), previous(8), previous(5), previous(3)], [1, 0, 0, 1]);
  assert.equal(neighbour([], 0, 1), undefined);
});
