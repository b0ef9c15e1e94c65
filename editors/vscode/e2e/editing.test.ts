/** Writing a suite: findings and fixes, hovers, completion, documents without a file, and the extension's page. */

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';

import { SUITE, WITH_TYPO } from './support/files';
import { scenarios } from './support/scenario';

/** What a page knows of a picture that it has loaded. */
interface Picture { complete: boolean; naturalWidth: number }

const files = { 'evals/week.json': WITH_TYPO, 'evals/draft.json': SUITE, 'notes.json': '{ "cases": 1 }\n', 'eval-ls.toml': '' };

scenarios('editing', { files }, {
  'marks a typo, and the quick fix corrects it': async (workbench) => {
    await workbench.openSuite('week.json');
    await workbench.findings().first().waitFor();
    await workbench.putCursorAfter('must_sya');
    await workbench.shot('lint-typo');
    await workbench.offer('must_say_any');
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

  'formats a suite': async (workbench) => {
    await workbench.openSuite('draft.json');
    await workbench.command('Format Document');
    await workbench.line('"must_say_any": [').first().waitFor();
    await workbench.page.locator('.view-line', { hasText: /^\s*"orders"$/ }).waitFor();
    await workbench.page.keyboard.press('Control+z');
    await workbench.line('"must_say_any": ["orders"]').waitFor();
  },

  'leaves other JSON files alone': async (workbench) => {
    await workbench.openFile('notes.json');
    await workbench.waitForLanguage('JSON');
  },

  'reports a suite that is not UTF-8, until it is saved as UTF-8': async (workbench) => {
    fs.writeFileSync(path.join(workbench.workspace.folder, 'evals/wide.evals.json'), `\ufeff${SUITE}`, 'utf16le');
    await workbench.openSuite('wide.evals.json');
    await workbench.findings().first().waitFor();
    await workbench.choose('Change File Encoding', 'Save with Encoding', 'UTF-8');
    await workbench.findings().first().waitFor({ state: 'detached' });
  },
}, {
  'explains a key on hover': async (workbench) => {
    await workbench.openSuite('draft.json');
    await workbench.putCursorAfter('"must_not_say": ["TODO');
    for (let left = '_say": ["TODO'.length; left > 0; left -= 1) {
      await workbench.page.keyboard.press('ArrowLeft');
    }
    await workbench.hover(workbench.page.locator('.monaco-hover', { hasText: 'must_not_say' }));
    await workbench.shot('hover');
  },
}, {
  'completes an outcome': async (workbench) => {
    await workbench.openSuite('draft.json');
    await workbench.status('not run').waitFor();
    await workbench.putCursorAfter('response_only');
    await workbench.erase('response_only');
    await workbench.page.keyboard.type('grace');
    await workbench.suggestion('graceful_block').waitFor();
    await workbench.shot('completion-outcome');
    await workbench.page.keyboard.press('Enter');
    await workbench.line('"outcome": "graceful_block",').waitFor();
  },

  'completes a scoring group': async (workbench) => {
    await workbench.putCursorAfter('["^- calendar:"]');
    await workbench.page.keyboard.type(', "scoring": { "hard_fail": ["num');
    await workbench.suggestion('numeric_grounding').waitFor();
    await workbench.shot('completion-group');
    await workbench.page.keyboard.press('Enter');
    await workbench.line('"hard_fail": ["numeric_grounding"]').waitFor();
    await workbench.shot('completion-accepted');
  },
}, {
  'a document without a file has findings and completions': async (workbench) => {
    // The editor must not add brackets to the text.
    workbench.workspace.settings({ 'editor.autoClosingBrackets': 'never', 'editor.autoIndent': 'none' });
    // The list of languages can lack the language until a suite has it.
    await workbench.openSuite('draft.json');
    await workbench.press('Control+Alt+n', workbench.page.locator('.tab.active', { hasText: 'Untitled' }));
    await workbench.command('Change Language Mode');
    await workbench.page.getByPlaceholder('Select Language Mode').fill('Eval Suite');
    await workbench.pick('Eval Suite');
    await workbench.waitForLanguage('Eval Suite');
    await workbench.focusSuite();
    await workbench.page.keyboard.insertText(WITH_TYPO);
    await workbench.page.keyboard.press('Control+Home');
    await workbench.findings().first().waitFor();
    await workbench.lens('Run case').first().waitFor();
    await workbench.status('2 not run').waitFor();
    await workbench.shot('untitled');
  },

  'it is saved before it runs': async (workbench) => {
    await workbench.lens('Run case').first().click();
    const message = workbench.notification('save the suite first');
    await message.waitFor();
    await workbench.shot('untitled-run');
    await message.getByRole('button', { name: 'Save' }).click();
    await workbench.page.locator('.quick-input-widget', { hasText: 'Save As' }).waitFor();
    await workbench.shot('untitled-save');
    await workbench.page.keyboard.press('Escape');
  },
}, {
  'shows its pictures': async (workbench) => {
    const extension = workbench.page.locator('.extensions-list .monaco-list-row', { hasText: 'Eval Suites' }).first();
    await workbench.press('Control+Shift+x', extension);
    await extension.click();
    const pictures = workbench.preview().locator('img');
    await pictures.nth(3).waitFor({ state: 'attached' });
    await workbench.until(() => pictures.evaluateAll((all) => (all as unknown as Picture[]).every((each) => each.complete && each.naturalWidth > 0)));
    await workbench.shot('page');
  },
});
