import assert from 'node:assert/strict';
import { it } from 'node:test';

import { shortTime } from './times';

it('a moment of today has no day', () => {
  const now = new Date('2026-11-24T22:10:00Z');
  const [today, earlier, old] = [new Date('2026-11-24T22:02:08Z'), new Date('2026-11-12T22:02:08Z'), new Date('2025-11-12T22:02:08Z')];
  assert.match(shortTime(today, now), /^\d{1,2}:02/);
  assert.match(shortTime(earlier, now), /12.*:02/);
  assert.doesNotMatch(shortTime(earlier, now), /2026/);
  assert.match(shortTime(old, now), /2025/);
});
