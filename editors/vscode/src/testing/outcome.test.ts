import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { outcomeOf, outputOf, terminalText, type CaseFinished } from './outcome';

const RANGE = { start: { line: 3, character: 4 }, end: { line: 3, character: 9 } };

function finished(more: Partial<CaseFinished>): CaseFinished {
  return {
    kind: 'caseFinished', run: 1, uri: 'file:///s.json', case: 'A', status: 'PASS', label: 'PASS', softScore: 1, durationMs: 5, hash: 'h',
    output: '', reason: null, failures: [], ...more,
  };
}

describe('a finished case', () => {
  it('passes if its status is PASS or PARTIAL', () => {
    assert.deepEqual(outcomeOf(finished({})), { state: 'passed', problems: [] });
    assert.deepEqual(outcomeOf(finished({ status: 'PARTIAL' })), { state: 'passed', problems: [] });
  });
  it('has a problem for each failed check, with a diff if there are two texts', () => {
    const failures = [
      { check: 'must_say_any', message: 'not said', range: RANGE, expected: 'GitHub', actual: 'Git hub' },
      { check: 'outcome:tool_success', message: 'no tool succeeded', range: RANGE, expected: 'tool_success', actual: null },
    ];
    assert.deepEqual(outcomeOf(finished({ status: 'FAIL', failures })), {
      state: 'failed',
      problems: [
        { message: 'not said', range: RANGE, diff: { expected: 'GitHub', actual: 'Git hub' } },
        { message: 'no tool succeeded', range: RANGE },
      ],
    });
  });
  it('has the reason of an error', () => {
    assert.deepEqual(outcomeOf(finished({ status: 'ERROR', reason: 'timed out' })), { state: 'errored', problems: [{ message: 'timed out' }] });
  });
  it('always has a message if it fails', () => {
    for (const status of ['FAIL', 'ERROR'] as const) {
      assert.equal(outcomeOf(finished({ status })).problems.length, 1);
    }
  });
  it('is skipped if it was stopped', () => {
    assert.deepEqual(outcomeOf(finished({ status: 'CANCELLED' })), { state: 'skipped', problems: [] });
  });
});

describe('output', () => {
  it('starts with the id and the status', () => {
    assert.equal(outputOf(finished({ status: 'FAIL', softScore: 0.5, durationMs: 1234, output: 'Hello.\n' })), '── A: FAIL 0.50, 1.2 s ──\nHello.\n\n');
  });
  it('has CRLF line ends', () => {
    assert.equal(terminalText('a\nb\r\nc\rd'), 'a\r\nb\r\nc\r\nd');
  });
  it('has no control characters', () => {
    assert.equal(terminalText('\u001b[2Jgone\u0007\u202e'), '␛[2Jgone␇\\u202e');
  });
});
