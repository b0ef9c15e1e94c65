/** The configuration's file: its colors, and comments. */

import assert from 'node:assert/strict';

import { AGENTS } from './support/agents';
import { SUITE } from './support/files';
import { scenarios } from './support/scenario';

scenarios('configuration', { files: { 'evals/week.json': SUITE, ...AGENTS } }, {
  'has colors and comments': async (workbench) => {
    await workbench.openFile('eval-ls.toml');
    await workbench.waitForLanguage('eval-ls configuration');
    await workbench.putCursorAfter('target = ');
    await workbench.press('Control+/', workbench.line(/#\starget/));
    const words = await workbench.editor().locator('.view-line span span').all();
    const colors = new Set(await Promise.all(words.map((word) => word.getAttribute('class')))).size;
    assert.ok(colors > 2, `${colors} colors`);
    await workbench.shot('configuration');
  },
});
