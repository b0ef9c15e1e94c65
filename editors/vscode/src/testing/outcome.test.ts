import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { looksOf, markOf, outputOf, terminalText, verdictText, type CaseFinished } from './outcome';

const RANGE = { start: { line: 3, character: 4 }, end: { line: 3, character: 9 } };

function finished(more: Partial<CaseFinished>): CaseFinished {
  return {
    kind: 'caseFinished', run: 1, uri: 'file:///s.json', case: 'A', status: 'PASS', label: 'PASS', softScore: 1, durationMs: 5, hash: 'h',
    output: '', reason: null, failures: [], ...more,
  };
}

const FAILURES = [
  { check: 'must_say_any', message: 'not said; nearest is `Git hub`', range: RANGE },
  { check: 'outcome:tool_success', message: 'no tool succeeded', range: RANGE },
];

describe('a finished case', () => {
  it('has a mark unless it just passed', () => {
    for (const [label, mark] of [['PASS', ''], ['PARTIAL 0.8', 'PARTIAL 0.8'], ['PASS · stale', 'PASS · stale'], [null, '']] as const) {
      assert.equal(markOf({ label }), mark);
    }
  });
});

describe('the looks of a verdict', () => {
  it('differ without a verdict and with one', () => {
    const none = looksOf({ status: null, label: null, failures: [], reason: null });
    assert.notEqual(none, looksOf(finished({})));
    assert.notEqual(looksOf(finished({})), looksOf(finished({ status: 'PARTIAL', label: 'PARTIAL 0.8' })));
  });
  it('differ by what a message says', () => {
    const error = (reason: string): string => looksOf(finished({ status: 'ERROR', label: 'ERROR a', reason }));
    assert.notEqual(error('a'), error('b'));
    assert.equal(error('a'), error('a'));
  });
});

describe('output', () => {
  it('starts with the id and the verdict', () => {
    assert.equal(outputOf(finished({ status: 'FAIL', label: 'FAIL 1 of 2 checks', durationMs: 1234, output: 'Hello.\n' })), '── A: FAIL 1 of 2 checks, 1.2 s ──\nHello.\n\n');
    assert.equal(outputOf(finished({ status: 'CANCELLED', label: null, durationMs: 0 })), '── A: CANCELLED, 0.0 s ──\n\n\n');
  });
  it('has the findings of a case that was judged again', () => {
    const verdict = {
      id: 'A', range: RANGE, status: 'FAIL', label: 'FAIL 2 of 2 checks', running: false, stale: false, softScore: 0, checks: 2,
      failures: FAILURES, hash: 'h', durationMs: null, reason: null,
    } as const;
    assert.equal(verdictText({ ...verdict, failures: FAILURES }), '── A: FAIL 2 of 2 checks ──\n✗ must_say_any: not said; nearest is `Git hub`\n✗ outcome: no tool succeeded\n\n');
  });
  it('has CRLF line ends', () => {
    assert.equal(terminalText('a\nb\r\nc\rd'), 'a\r\nb\r\nc\r\nd');
  });
  it('has no control characters', () => {
    assert.equal(terminalText('\u001b[2Jgone\u0007\u202e'), '␛[2Jgone␇\\u202e');
  });
});
