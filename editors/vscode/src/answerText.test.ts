import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { answerText } from './answerText';

describe('an answer', () => {
  it('is its response, line by line, and its events', () => {
    const transcript = JSON.stringify({ case: 'A', response: 'One.\nTwo.', telemetry: [{ source: 'tool.x', event: 'start' }] });
    assert.equal(answerText(transcript), 'One.\nTwo.\n\n── telemetry ──\n{"source":"tool.x","event":"start"}\n');
  });
  it('without events is its response', () => {
    assert.equal(answerText('{"response": "One.", "telemetry": []}'), 'One.\n');
  });
  it('that cannot be read is shown as it is', () => {
    for (const text of ['', '{', '[]', '{"response": 1}', 'null']) {
      assert.equal(answerText(text), text);
    }
  });
});
