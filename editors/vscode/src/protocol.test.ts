import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { describe, it } from 'node:test';

import { methods } from './protocol';

const read = (file: string): string => fs.readFileSync(path.resolve(import.meta.dirname, file), 'utf8');
const page = read('../../../docs/lsp-extensions.md');
const squeezed = (text: string): string => text.replace(/\bexport /g, '').replace(/\s+/g, ' ').trim();

/** The declarations of the page's code blocks: each begins at a line's start. */
const declarations = [...page.matchAll(/```typescript\n(.*?)```/gs)].flatMap(([, block = '']) => block.split(/\n(?=interface |type )/));

describe('the protocol', () => {
  it('has each type of the page, word for word', () => {
    const ours = squeezed(read('protocol.ts'));
    assert.ok(declarations.length > 10, `the page has ${declarations.length} declarations`);
    for (const declaration of declarations) {
      assert.ok(ours.includes(squeezed(declaration)), `protocol.ts does not have, as docs/lsp-extensions.md says it:\n${declaration}`);
    }
  });
  it('names each method of the page', () => {
    const named = new Set([...page.matchAll(/^### (.*)$/gm)].flatMap(([, title = '']) => title.match(/eval-ls\/\w+/g) ?? []));
    assert.deepEqual(new Set<string>(Object.values(methods)), named);
  });
});
