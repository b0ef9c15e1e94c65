/** Completion, accepted from the keyboard, and renaming. */

import * as fs from 'node:fs';
import * as path from 'node:path';

import { SUITE, TRANSCRIPTS } from './support/files';
import { scenarios } from './support/scenario';

scenarios('writing', { files: { 'evals/week.json': SUITE } }, {
  'completes an outcome': async (workbench) => {
    await workbench.openSuite('week.json');
    await workbench.waitForLanguage('Eval Suite');
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
});

scenarios('renaming', { files: { 'eval-ls.toml': '', 'evals/week.json': SUITE, ...TRANSCRIPTS } }, {
  'moves the transcript of a renamed case, and undo moves it back': async (workbench) => {
    const { server } = workbench;
    const exists = (name: string): boolean => fs.existsSync(path.join(server.folder, name));
    await workbench.openSuite('week.json');
    await workbench.waitForLanguage('Eval Suite');
    await workbench.status('pass').waitFor();
    await workbench.putCursorAfter('"id": "WEEK');
    const input = workbench.page.locator('.rename-box input');
    await workbench.press('F2', input);
    await input.fill('MONTH1');
    await workbench.page.keyboard.press('Enter');
    await workbench.line('"id": "MONTH1"').waitFor();
    await workbench.until(() => exists('evals/transcripts/week/MONTH1.json') && !exists('evals/transcripts/week/WEEK1.json'));
    await workbench.until(() => server.read('evals/transcripts/week/MONTH1.json').includes('"MONTH1"'));
    await workbench.press('Control+z', workbench.line('"id": "WEEK1"'));
    await workbench.until(() => exists('evals/transcripts/week/WEEK1.json') && !exists('evals/transcripts/week/MONTH1.json'));
    await workbench.until(() => server.read('evals/transcripts/week/WEEK1.json').includes('"WEEK1"'));
    await workbench.shot('renaming-undone');
  },
});
