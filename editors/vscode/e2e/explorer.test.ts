/** The Test Explorer, and which files are suites. */

import assert from 'node:assert/strict';

import { SUITE } from './support/files';
import { scenarios } from './support/scenario';

const files = {
  'eval-ls.toml': '[files]\ninclude = ["checks/*.json"]\n',
  'checks/week.json': SUITE,
  'notes.json': '{ "cases": 1 }\n',
};

scenarios('explorer', { files }, {
  'lists suites and their cases': async (workbench) => {
    await workbench.showTests();
    await workbench.expand('checks/week.json');
    await workbench.testItem('TUBES1').waitFor();
    await workbench.shot('explorer-tree');
  },

  'opens a case at its line': async (workbench) => {
    await workbench.testItem('TUBES1').dblclick();
    await workbench.page.locator('.tab.active[data-resource-name="week.json"]').waitFor();
    await workbench.page.locator('.statusbar-item', { hasText: 'Ln 17' }).waitFor();
  },

  'shows a suite that only eval-ls.toml includes': async (workbench) => {
    await workbench.waitForLanguage('Eval Suite');
    await workbench.openFile('notes.json');
    await workbench.waitForLanguage('JSON');
  },

  'updates while the user types': async (workbench) => {
    await workbench.openSuite('week.json');
    await workbench.putCursorAfter('TUBES1');
    await workbench.page.keyboard.type('-new');
    await workbench.testItem('TUBES1-new').waitFor();
    await workbench.testItem('WEEK1').waitFor();
  },

  'has a row for a text without a file only while it has a case': async (workbench) => {
    await workbench.command('File: Compare New Untitled Text Files');
    for (const side of ['.editor.original', '.editor.modified']) {
      await workbench.page.locator(`.monaco-diff-editor ${side} .view-lines`).click();
      await workbench.page.locator('#status\\.editor\\.mode').click();
      // Only rows in view exist on the page.
      await workbench.quickInput().fill('Eval Suite');
      await workbench.pick('Eval Suite');
      await workbench.waitForLanguage('Eval Suite');
    }
    const rows = workbench.testItem('Untitled-');
    await workbench.page.locator('.monaco-diff-editor .editor.modified .view-lines').click();
    await workbench.page.keyboard.insertText(JSON.stringify(JSON.parse(SUITE)));
    await rows.waitFor();
    assert.equal(await rows.count(), 1);
    await workbench.page.keyboard.press('Control+a');
    await workbench.page.keyboard.press('Backspace');
    await rows.waitFor({ state: 'detached' });
    await workbench.testItem('TUBES1-new').waitFor();
    await workbench.shot('explorer-untitled');
  },
});
