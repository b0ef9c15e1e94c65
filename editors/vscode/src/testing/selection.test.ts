import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { RunParams } from '../protocol';
import { selection, type Names, type Node } from './selection';

function suite(id: string, cases: string[]): { suite: Node; cases: Node[] } {
  const children = new Map<string, Node>();
  const node: Node = { id, parent: undefined, children };
  cases.forEach((each) => children.set(each, { id: `${id}#${each}`, parent: node, children: [] }));
  return { suite: node, cases: [...children.values()] };
}

function names({ id }: Node): Names {
  const [uri = '', name] = id.split('#');
  return name === undefined ? { uri } : { uri, case: name };
}

function check(chosen: (Node | undefined)[], leftOut: (Node | undefined)[], expected: RunParams['suites']): void {
  const there = (node: Node | undefined): node is Node => node !== undefined;
  assert.deepEqual(selection(chosen.filter(there), leftOut.filter(there), names), expected);
}

describe('a selection', () => {
  const { suite: one, cases: [a, b, c] } = suite('one', ['A', 'B', 'C']);
  const { suite: two } = suite('two', []);

  it('of suites requests whole suites', () => { check([one, two], [], [{ uri: 'one' }, { uri: 'two' }]); });
  it('of cases names the cases', () => { check([a, c], [], [{ uri: 'one', cases: ['A', 'C'] }]); });
  it('names the remaining cases if others are excluded', () => { check([one], [b], [{ uri: 'one', cases: ['A', 'C'] }]); });
  it('omits an excluded suite', () => { check([one, two], [one], [{ uri: 'two' }]); });
  it('of a suite and its cases requests the suite', () => {
    check([a, one], [], [{ uri: 'one' }]);
    check([one, a], [], [{ uri: 'one' }]);
  });
  it('names a case once', () => { check([a, a], [], [{ uri: 'one', cases: ['A'] }]); });
  it('of nothing is empty', () => { check([one], [one], []); });
});
