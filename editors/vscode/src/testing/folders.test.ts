import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { arranged, type Row } from './folders';

function lines(rows: Row<number>[], indent = ''): string[] {
  return rows.flatMap((row) => ('suite' in row ? [`${indent}${row.label} = ${row.suite}`] : [`${indent}${row.label} (${row.id})`, ...lines(row.rows, `${indent}  `)]));
}

const of = (...labels: string[]): string[] => lines(arranged(labels.map((label, suite) => ({ suite, label }))));

describe('the rows above the cases', () => {
  it('show a folder only if several suites are below it', () => {
    assert.deepEqual(of('a.json'), ['a.json = 0']);
    assert.deepEqual(of('evals/a.json'), ['evals/a.json = 0']);
    assert.deepEqual(of('evals/a.json', 'evals/b.json', 'c.json'), ['evals (/evals)', '  a.json = 0', '  b.json = 1', 'c.json = 2']);
  });

  it('put a chain of folders into one row', () => {
    assert.deepEqual(of('x/y/a.json', 'x/y/b.json', 'x/y/z/c.json'), ['x/y (/x/y)', '  z/c.json = 2', '  a.json = 0', '  b.json = 1']);
    assert.deepEqual(of('x\\a.json', 'x\\b.json'), ['x (/x)', '  a.json = 0', '  b.json = 1']);
  });

  it('name the workspace folder if there are several', () => {
    const rows = arranged([{ suite: 1, root: 'shop', label: 'evals/a.json' }, { suite: 2, root: 'bank', label: 'evals/a.json' }, { suite: 3, root: 'bank', label: 'evals/b.json' }]);
    assert.deepEqual(lines(rows), ['shop/evals/a.json = 1', 'bank/evals (/bank/evals)', '  a.json = 2', '  b.json = 3']);
  });
});
