/** The target of runs, and accepted answers. */

import assert from 'node:assert/strict';

import { AGENTS } from './support/agents';
import { SUITE, TRANSCRIPTS } from './support/files';
import { scenarios } from './support/scenario';

/** The stored transcript. */
const EARLIER = JSON.stringify({ format: 'eval-ls/transcript@1', case: 'TUBES1', response: 'There are fifteen inner tubes.\nI would order ten more.' });

scenarios('target', { files: { 'evals/week.json': SUITE, ...TRANSCRIPTS, 'evals/transcripts/week/TUBES1.json': EARLIER, ...AGENTS }, settings: { 'files.autoSave': 'onFocusChange' } }, {
  'is selected in the status bar': async (workbench) => {
    await workbench.openSuite('week.json');
    await workbench.clickStatus('1 failed, 1 passed by replay · next: assistant', workbench.quickPick('replay'));
    await workbench.shot('target-chosen');
    await workbench.pick('replay');
    await workbench.status('replay').waitFor();
    await workbench.clickStatus('replay', workbench.quickPick('assistant'));
    await workbench.pick('assistant');
    await workbench.status('assistant').waitFor();
  },

  'is listed after the cases that failed, which are selected with a click': async (workbench) => {
    await workbench.clickStatus('assistant', workbench.page.locator('.quick-input-list .monaco-list-row.focused', { hasText: /TUBES1\s*FAIL 1 of 3 checks/ }));
    await workbench.quickPick('selected').filter({ hasText: 'assistant' }).waitFor();
    await workbench.quickPick('Add target').waitFor();
    await workbench.shot('target-failures');
    await workbench.page.keyboard.press('Enter');
    await workbench.page.locator('.statusbar-item', { hasText: 'Ln 17' }).waitFor();
  },

  'answers again, and both answers are compared': async (workbench) => {
    await workbench.lens(/^Run ·/).last().click();
    await workbench.allow('assistant.py');
    await workbench.lens('Accept').waitFor();
    await workbench.putCursorAfter('TUBES1');
    await workbench.command('Eval: Compare last answer');
    await workbench.page.locator('.tab.active', { hasText: 'transcript ↔ last answer' }).waitFor();
    await workbench.page.locator('.monaco-diff-editor .view-line', { hasText: 'fifteen' }).waitFor();
    await workbench.shot('target-compared');
    await workbench.closeTab();
  },

  'stores an accepted answer as transcript': async (workbench) => {
    await workbench.lens('Accept').click();
    await workbench.until(() => workbench.workspace.read('evals/transcripts/week/TUBES1.json').includes('"target": "assistant"'));
    await workbench.lensesWithout('Accept');
  },

  'runs on save if that is enabled': async (workbench) => {
    await workbench.showTests();
    await workbench.clickTest('evals/week.json', 'Continuous Run');
    const runs = workbench.workspace.count('results/runs');
    // Another prompt needs another answer; other expectations do not.
    await workbench.putCursorAfter('enough inner tubes');
    await workbench.page.keyboard.type(' now');
    await workbench.lens(/stale/).first().waitFor();
    // An auto save asks nothing: its answer would be that of half a prompt.
    await workbench.showTests();
    await workbench.until(() => workbench.workspace.read('evals/week.json').includes('tubes now'));
    // VS Code drops a save while an auto save writes the same text, so the text is changed once more.
    await workbench.putCursorAfter('tubes now');
    await workbench.page.keyboard.type(', or');
    await workbench.page.locator('.tab.active.dirty').waitFor();
    await workbench.page.keyboard.press('Control+s');
    await workbench.lensesWithout(/stale/);
    assert.equal(workbench.workspace.count('results/runs'), runs + 1);
    await workbench.expand('evals/week.json');
    await workbench.testItem('TUBES1', 'Failed').waitFor();
    await workbench.shot('target-continuous');
    // A saved program runs the cases again. The status bar has the failed cases of all suites.
    await workbench.openFile('assistant.py');
    await workbench.status(/^\s*1 failed$/).waitFor();
    await workbench.page.keyboard.type('#');
    await workbench.page.locator('.tab.active.dirty').waitFor();
    await workbench.page.keyboard.press('Control+s');
    await workbench.until(() => workbench.workspace.count('results/runs') === runs + 2);
    await workbench.shot('target-program');
  },
});
