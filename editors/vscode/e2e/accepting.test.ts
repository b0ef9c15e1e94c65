/** Answers become transcripts: of all cases, of one, and from the comparison. */

import assert from 'node:assert/strict';

import { AGENTS } from './support/agents';
import { SUITE } from './support/files';
import { scenarios } from './support/scenario';

const WEEK = 'evals/transcripts/week/WEEK1.json';
const TUBES = 'evals/transcripts/week/TUBES1.json';

scenarios('accepting', { files: { 'evals/week.json': SUITE, ...AGENTS } }, {
  'all answers of a run become transcripts': async (workbench) => {
    await workbench.openSuite('week.json');
    await workbench.status('2 not run').waitFor();
    await workbench.runSuite();
    await workbench.allow('assistant.py');
    await workbench.status('1 failed, 1 passed · assistant').waitFor();
    await workbench.command('Eval: Accept the answers of all cases');
    await workbench.question('Accept 2 answers as transcripts?').getByRole('button', { name: 'Accept', exact: true }).click();
    await workbench.until(() => workbench.workspace.exists(WEEK) && workbench.workspace.exists(TUBES));
    assert.match(workbench.workspace.read(TUBES), /14 inner tubes/);
    await workbench.lensesWithout('Accept');
  },

  'the exact title of a command is the first in the palette': async (workbench) => {
    await workbench.find('>Eval: Accept answer as transcript', 'Eval: Accept');
    const first = workbench.page.locator('.quick-input-list .monaco-list-row.focused .label-name').first();
    await workbench.until(async () => (await first.innerText()).replaceAll('\u00a0', ' ') === 'Eval: Accept answer as transcript');
    await workbench.shot('accepting-palette');
    await workbench.page.keyboard.press('Escape');
  },

  'accepting all answers asks before it replaces transcripts': async (workbench) => {
    workbench.workspace.write('assistant.py', AGENTS['assistant.py'].replace('14 inner tubes', '15 inner tubes').replace('23 open', '24 open'));
    await workbench.runSuite();
    await workbench.lens('Accept').nth(1).waitFor();
    await workbench.command('Eval: Accept the answers of all cases');
    const question = workbench.question('Accept 2 answers as transcripts?');
    await question.waitFor();
    await workbench.shot('accepting-asked');
    assert.match(await question.innerText(), /Replace a transcript: 2\s+Do not pass: 1/);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    assert.match(workbench.workspace.read(TUBES), /14 inner tubes/);
    await workbench.command('Eval: Accept the answers of all cases');
    await question.getByRole('button', { name: 'Accept', exact: true }).click();
    await workbench.notification('2 answers accepted, 2 transcripts replaced.').waitFor();
    await workbench.until(() => workbench.workspace.read(TUBES).includes('15 inner tubes') && workbench.workspace.read(WEEK).includes('24 open'));
    await workbench.shot('accepting-all');
  },

  'the comparison of an answer has a button to accept it': async (workbench) => {
    await workbench.lensesWithout('Accept');
    workbench.workspace.write('assistant.py', AGENTS['assistant.py'].replace('14 inner tubes', '16 inner tubes'));
    await workbench.putCursorAfter('TUBES1');
    await workbench.runCase();
    await workbench.lens('Accept').first().waitFor();
    await workbench.command('Eval: Compare last answer');
    await workbench.page.locator('.tab.active', { hasText: 'transcript ↔ last answer' }).waitFor();
    await workbench.page.locator('.monaco-diff-editor .view-line', { hasText: '16' }).waitFor();
    await workbench.page.locator('.editor-actions .action-label[aria-label^="Accept answer as transcript"]').first().click();
    await workbench.until(() => workbench.workspace.read(TUBES).includes('16 inner tubes'));
    // The left side follows.
    await workbench.page.locator('.monaco-diff-editor .editor.original .view-line', { hasText: '16' }).waitFor();
    await workbench.page.locator('.monaco-diff-editor .char-delete').waitFor({ state: 'detached' });
    await workbench.shot('accepting-compared');
    await workbench.status(/fail.*assistant/).waitFor();
  },

  'an answer that fails replaces one that passes only on request, and undo restores it': async (workbench) => {
    await workbench.closeTab();
    workbench.workspace.write('assistant.py', AGENTS['assistant.py'].replace('- orders: 23 open', '- parcels: none'));
    await workbench.putCursorAfter('WEEK1');
    await workbench.runCase();
    await workbench.lens('Accept (fails)').first().click();
    const question = workbench.question('Replace the transcript of `WEEK1`?');
    await question.getByRole('button', { name: 'Compare' }).waitFor();
    assert.match(await question.innerText(), /It passes\. The new answer does not: FAIL/);
    await workbench.shot('accepting-fails');
    await question.getByRole('button', { name: 'Compare' }).click();
    await workbench.page.locator('.tab.active', { hasText: 'transcript ↔ last answer' }).waitFor();
    await workbench.closeTab();
    const earlier = workbench.workspace.read(WEEK);
    await workbench.lens('Accept (fails)').first().click();
    await question.getByRole('button', { name: 'Replace' }).click();
    const toast = workbench.notification('1 answer accepted, 1 transcript replaced.');
    await toast.waitFor();
    assert.notEqual(workbench.workspace.read(WEEK), earlier);
    await workbench.shot('accepting-undo');
    await toast.getByRole('button', { name: 'Undo' }).click();
    await workbench.until(() => workbench.workspace.read(WEEK) === earlier);
  },
});
