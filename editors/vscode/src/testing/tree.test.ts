import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { TestItem, Uri } from 'vscode';

import type { TestCase, TestSuite } from '../protocol';
import { fakeController } from './fakeController';
import { TestTree } from './tree';

const URI = 'file:///w/evals/a.json';
const RANGE = { start: { line: 1, character: 2 }, end: { line: 1, character: 5 } };

function testCase(id: string, index: number, hash = id): TestCase {
  return { id, index, category: 'cat', prompt: 'Why?', range: RANGE, caseRange: RANGE, hash };
}

/** A tree of suites that a test may change. */
function tree(suites: TestSuite[]): { tree: TestTree; items: () => string[]; arrived: string[]; item: (id: string) => TestItem; row: (place: number) => TestItem } {
  const { controller } = fakeController();
  const arrived: string[] = [];
  const uri = (text: string): Uri => ({ toString: () => text, scheme: text.split(':')[0] }) as unknown as Uri;
  const editor = { controller, uri, range: () => ({}) as never, tag: (id: string) => ({ id }), root: () => undefined };
  const built = new TestTree(editor, ({ uri: asked }) => Promise.resolve({
    suites: asked === undefined ? suites.map(({ uri: each, label, hash }) => ({ uri: each, label, hash })) : suites.filter((suite) => suite.uri === asked),
  }), (uris) => { arrived.push(...uris); });
  const item = (id: string): TestItem => {
    const found = controller.items.get(URI)?.children.get(`${URI}#${id}`);
    assert.ok(found, `there is no item ${id}`);
    return found;
  };
  const items = (): string[] => [...controller.items].flatMap(([, suite]) => [suite.label, ...[...suite.children].map(([, each]) => `  ${each.label}`)]);
  const row = (place: number): TestItem => {
    const found = [...controller.items][place]?.[1];
    assert.ok(found);
    return found;
  };
  return { tree: built, items, arrived, item, row };
}

describe('the tree', () => {
  it('is filled one level at a time', async () => {
    const { tree: built, items } = tree([{ uri: URI, label: 'evals/a.json', hash: '1', cases: [testCase('A', 0), testCase('B', 1)] }]);
    await built.resolve();
    assert.deepEqual(items(), ['evals/a.json']);
    assert.ok(await built.find(URI, 'B'));
    assert.deepEqual(items(), ['evals/a.json', '  A', '  B']);
  });

  it('has no row for a text without a file, unless it is not saved yet and has a case', async () => {
    const draft: TestSuite = { uri: 'untitled:Untitled-1', label: 'Untitled-1', hash: '1', cases: [] };
    const suites = [draft, { uri: 'git:/w/evals/a.json', label: 'a.json', hash: '1', cases: [testCase('A', 0)] }];
    const { tree: built, items } = tree(suites);
    await built.resolve();
    await built.changed(suites.map(({ uri }) => uri));
    assert.deepEqual(items(), []);
    draft.cases = [testCase('A', 0)];
    await built.changed([draft.uri]);
    assert.deepEqual(items(), ['Untitled-1']);
    draft.cases = [];
    await built.changed([draft.uri]);
    await built.resolve();
    assert.deepEqual(items(), []);
  });

  it('keeps items of remaining cases and removes the others', async () => {
    const suites: TestSuite[] = [{ uri: URI, label: 'a', hash: '1', cases: [testCase('A', 0), testCase('B', 1)] }];
    const { tree: built, items, item } = tree(suites);
    await built.resolve();
    await built.changed([URI]);
    const before = item('B');
    suites[0] = { uri: URI, label: 'a', hash: '2', cases: [testCase('B', 0), testCase('C', 1)] };
    await built.changed([URI]);
    assert.deepEqual(items(), ['a', '  B', '  C']);
    assert.equal(item('B'), before);
  });

  it('reports rows without a result: of new cases, and of suites that moved', async () => {
    const suites: TestSuite[] = [{ uri: URI, label: 'evals/a.json', hash: '1', cases: [testCase('A', 0)] }];
    const { tree: built, arrived } = tree(suites);
    await built.resolve();
    assert.deepEqual(arrived, []);
    await built.changed([URI]);
    assert.deepEqual(arrived.splice(0), [URI]);
    // Nothing is new.
    await built.changed([URI]);
    assert.deepEqual(arrived, []);
    suites.push({ uri: 'file:///w/evals/b.json', label: 'evals/b.json', hash: '1', cases: [] });
    await built.resolve();
    assert.deepEqual(arrived.splice(0), [URI]);
    suites.pop();
    await built.resolve();
    assert.deepEqual(arrived, [URI]);
  });

  it('reports suites whose folder moves below another folder', async () => {
    const [x, y] = ['file:///w/evals/a/x.json', 'file:///w/evals/a/y.json'];
    const suites: TestSuite[] = [x, y].map((uri) => ({ uri, label: uri.slice('file:///w/'.length), hash: '1', cases: [] }));
    const { tree: built, arrived } = tree(suites);
    await built.resolve();
    assert.deepEqual(arrived, []);
    suites.push({ uri: 'file:///w/evals/b.json', label: 'evals/b.json', hash: '1', cases: [] });
    await built.resolve();
    assert.deepEqual(arrived, [x, y]);
  });

  it('gives a case that comes back, or forgets its result, a row with another id', async () => {
    const suites: TestSuite[] = [{ uri: URI, label: 'a', hash: '1', cases: [testCase('A', 0)] }];
    const { tree: built } = tree(suites);
    await built.resolve();
    const first = await built.find(URI, 'A');
    assert.ok(first);
    built.mark(first, 'PARTIAL 0.8');
    assert.equal(first.label, 'A · PARTIAL 0.8');
    built.forget(first);
    const second = await built.find(URI, 'A');
    assert.ok(second);
    assert.notEqual(second.id, first.id);
    assert.deepEqual([first.label, second.label, second.description], ['A', 'A', undefined]);
    assert.deepEqual(built.names(second), { uri: URI, case: 'A' });
    suites[0] = { uri: URI, label: 'a', hash: '2', cases: [testCase('B', 0)] };
    await built.changed([URI]);
    suites[0] = { uri: URI, label: 'a', hash: '3', cases: [testCase('A', 0)] };
    await built.changed([URI]);
    const third = await built.find(URI, 'A');
    assert.ok(third);
    assert.ok(![first.id, second.id].includes(third.id));
  });

  it('has an item for each case with a repeated id, and for a case without an id', async () => {
    const { tree: built, items, item } = tree([{ uri: URI, label: 'a', hash: '1', cases: [testCase('A', 0), testCase('A', 1), testCase('', 2)] }]);
    await built.resolve();
    await built.changed([URI]);
    assert.deepEqual(items(), ['a', '  A', '  A', '  case 3']);
    assert.deepEqual(built.names(item('A#2')), { uri: URI, case: 'A' });
  });

  it('has a row for a folder with several suites, and tags for categories', async () => {
    const other = 'file:///w/evals/b.json';
    const suites: TestSuite[] = [{ uri: URI, label: 'evals/a.json', hash: '1', cases: [testCase('A', 0)] }];
    const { tree: built, items, row } = tree(suites);
    await built.resolve();
    const case_ = await built.find(URI, 'A');
    assert.deepEqual(case_?.tags, [{ id: 'cat' }]);
    suites.push({ uri: other, label: 'evals/b.json', hash: '1', cases: [] });
    await built.changed([other]);
    assert.deepEqual(items(), ['evals', '  a.json', '  b.json']);
    // VS Code cannot move a row.
    assert.notEqual(await built.find(URI, 'A'), case_);
    const folder = row(0);
    assert.deepEqual(built.meant([folder]).map((item) => built.names(item).uri), [URI, other]);
    suites.pop();
    await built.changed([other]);
    assert.deepEqual(items(), ['evals/a.json', '  A']);
  });

  it('adds a new suite and removes a deleted suite', async () => {
    const suites: TestSuite[] = [];
    const { tree: built, items } = tree(suites);
    await built.resolve();
    suites.push({ uri: URI, label: 'a', hash: '1', cases: [] });
    await built.changed([URI]);
    assert.deepEqual(items(), ['a']);
    suites.pop();
    await built.changed([URI]);
    assert.deepEqual(items(), []);
  });
});
