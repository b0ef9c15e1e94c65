/** The target of runs, and accepted answers. */

import { AGENTS } from './support/agents';
import { SUITE, TRANSCRIPTS } from './support/files';
import { scenarios } from './support/scenario';

/** The stored transcript. */
const EARLIER = JSON.stringify({ format: 'eval-ls/transcript@1', case: 'TUBES1', response: 'There are fifteen inner tubes.\nI would order ten more.' });

scenarios('target', { files: { 'evals/week.json': SUITE, ...TRANSCRIPTS, 'evals/transcripts/week/TUBES1.json': EARLIER, ...AGENTS } }, {
  'is selected in the status bar': async (workbench) => {
    await workbench.openSuite('week.json');
    // A click is lost if the item is drawn again meanwhile.
    await workbench.status('1 failed, 1 passed by replay · next: assistant').click();
    await workbench.quickPick('replay').waitFor();
    await workbench.shot('target-chosen');
    await workbench.pick('replay');
    await workbench.status('replay').waitFor();
    await workbench.status('replay').click();
    await workbench.pick('assistant');
    await workbench.status('assistant').waitFor();
  },

  'answers again, and both answers are compared': async (workbench) => {
    await workbench.lens(/^Run ·/).last().click();
    await workbench.allow('assistant.py');
    await workbench.lens('Accept').waitFor();
    await workbench.putCursorAfter('TUBES1');
    await workbench.command('Eval: Compare last answer with transcript');
    await workbench.page.locator('.tab.active', { hasText: 'transcript ↔ last answer' }).waitFor();
    await workbench.page.locator('.monaco-diff-editor .view-line', { hasText: 'fifteen' }).waitFor();
    await workbench.shot('target-compared');
    await workbench.closeTab();
  },

  'stores an accepted answer as transcript': async (workbench) => {
    await workbench.lens('Accept').click();
    await workbench.until(() => workbench.workspace.read('evals/transcripts/week/TUBES1.json').includes('"target": "assistant"'));
    await workbench.lens('Accept').waitFor({ state: 'detached' });
  },

  'runs on save if that is enabled': async (workbench) => {
    await workbench.showTests();
    await workbench.clickTest('evals/week.json', 'Continuous Run');
    // Another prompt needs another answer; other expectations do not.
    await workbench.putCursorAfter('enough inner tubes');
    await workbench.page.keyboard.type(' now');
    await workbench.line(/TUBES1.*stale/).waitFor();
    await workbench.page.keyboard.press('Control+s');
    await workbench.line(/TUBES1.*stale/).waitFor({ state: 'detached' });
    await workbench.expand('evals/week.json');
    await workbench.testItem('TUBES1', 'Failed').waitFor();
    await workbench.shot('target-continuous');
  },
});
