/** Failed checks that change to what the answer says, the way from failure to failure, and folders in the Test Explorer. */

import assert from 'node:assert/strict';

import { SUITE, TRANSCRIPTS } from './support/files';
import { scenarios } from './support/scenario';

const MISSPELT = SUITE.replace('"must_say_any": ["orders"]', '"must_say_any": ["ordres"]');

const files = { 'evals/week.json': MISSPELT, 'evals/other.json': SUITE.replace('workshop', 'other'), ...TRANSCRIPTS };

scenarios('accept', { files }, {
  'a failed check changes to what the answer says': async (workbench) => {
    await workbench.openSuite('week.json');
    await workbench.status('2 failed').waitFor();
    await workbench.putCursorAfter('ordres');
    await workbench.offer('Change the phrase to `orders`, as in the answer');
    await workbench.shot('accept-said');
    await workbench.page.keyboard.press('Enter');
    await workbench.line(/"must_say_any".*"orders"/).waitFor();
    await workbench.status('1 failed, 1 passed').waitFor();
  },

  'a command goes to the next failing case': async (workbench) => {
    await workbench.putCursorAfter('workshop');
    await workbench.command('Eval: Go to next failing case');
    await workbench.page.locator('.statusbar-item', { hasText: 'Ln 17' }).waitFor();
  },

  'suites that share a folder are below it, and categories are tags': async (workbench) => {
    await workbench.showTests();
    await workbench.expand('evals');
    await workbench.testItem('other.json').waitFor();
    await workbench.expand('week.json');
    await workbench.testItem('WEEK1').waitFor();
    await workbench.testItem('TUBES1').waitFor();
    const filter = workbench.page.locator('.test-explorer-header .monaco-editor, .testing-filter-wrapper .monaco-editor').first();
    await filter.click();
    await workbench.page.keyboard.type('@eval-ls:stock');
    await workbench.testItem('WEEK1').waitFor({ state: 'detached' });
    // Suites that are not open have their verdicts, so their cases are in the tree, too.
    await workbench.testItem('TUBES1').first().waitFor();
    await workbench.shot('accept-folders');
    assert.equal(await workbench.testItem('evals').count(), 1);
  },
});
