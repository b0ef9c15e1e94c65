/** Findings and fixes, and the files that have them. */

import assert from 'node:assert/strict';

import { WITH_TYPO, WORKSPACE } from './support/files';
import { scenarios } from './support/scenario';

scenarios('lint', { files: { ...WORKSPACE, 'evals/week.json': WITH_TYPO } }, {
  'marks a typo, and the quick fix corrects it': async (workbench) => {
    await workbench.openSuite('week.json');
    await workbench.waitForLanguage('Eval Suite');
    await workbench.findings().first().waitFor();
    await workbench.putCursorAfter('must_sya');
    await workbench.shot('lint-typo');
    await workbench.page.keyboard.press('Control+.');
    await workbench.page.locator('.action-widget .monaco-list-row', { hasText: 'must_say_any' }).waitFor();
    await workbench.shot('lint-fix-offered');
    await workbench.page.keyboard.press('Enter');
    await workbench.line('"must_say_any": ["orders"]').waitFor();
    await workbench.findings().first().waitFor({ state: 'detached' });
    await workbench.shot('lint-fixed');
  },

  'reports each mistake once': async (workbench) => {
    await workbench.page.keyboard.press('Control+z');
    await workbench.findings().first().waitFor();
    const rows = await workbench.problems();
    const texts = (await rows.allTextContents()).filter((text) => !text.startsWith('week.json'));
    assert.equal(texts.length, 1, texts.join('\n'));
    assert.match(texts[0] ?? '', /eval-ls/);
    await workbench.shot('lint-problems');
  },

  'leaves other JSON files alone': async (workbench) => {
    await workbench.openFile('notes.json');
    await workbench.waitForLanguage('JSON');
  },
});
