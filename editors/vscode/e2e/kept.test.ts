/** Kept runs: answers that survive a reload, runs that got no answer, and the view of the runs. */

import assert from 'node:assert/strict';

import { AGENTS } from './support/agents';
import { SUITE } from './support/files';
import { scenarios } from './support/scenario';

const BROKEN = `
[targets.broken]
kind = "command"
command = ["python3", "does-not-exist.py"]
`;

const files = { 'evals/week.json': SUITE, ...AGENTS, 'eval-ls.toml': AGENTS['eval-ls.toml'] + BROKEN };

scenarios('kept', { files }, {
  'answers survive a reload': async (workbench) => {
    await workbench.openSuite('week.json');
    await workbench.status('2 not run').waitFor();
    await workbench.runSuite();
    await workbench.allow('assistant.py');
    await workbench.status('1 failed, 1 passed').waitFor();
    await workbench.reload();
    await workbench.openSuite('week.json');
    await workbench.status('1 failed, 1 passed · assistant').waitFor();
    await workbench.line(/TUBES1.*FAIL/).waitFor();
    await workbench.lens('Accept').first().waitFor();
    await workbench.shot('kept-reloaded');
  },

  'a run without an answer leaves no verdict standing': async (workbench) => {
    await workbench.choose('Eval: Choose target', 'broken');
    await workbench.status('by assistant · next: broken').waitFor();
    await workbench.putCursorAfter('WEEK1');
    await workbench.runCase();
    await workbench.allow('does-not-exist.py');
    await workbench.status('1 failed, 1 error').waitFor();
    await workbench.line(/WEEK1.*ERROR\slast\srun\sfailed/).waitFor();
    await workbench.lens(/^Run · ERROR/).waitFor();
    await workbench.showTests();
    await workbench.expand('evals/week.json');
    await workbench.testItem('WEEK1', 'Errored').waitFor();
    await workbench.shot('kept-failed');
  },

  'the view lists runs with their cases, and opens an answer': async (workbench) => {
    const rows = workbench.runs();
    await rows.filter({ hasText: 'broken' }).first().waitFor();
    const run = rows.filter({ hasText: '1 passed, 1 failed' }).first();
    await run.click();
    const suite = rows.filter({ hasText: 'evals/week.json' }).first();
    await suite.click();
    await rows.filter({ hasText: 'TUBES1' }).first().waitFor();
    await workbench.shot('kept-view');
    await rows.filter({ hasText: 'TUBES1' }).first().click();
    await workbench.preview().locator('.rendered', { hasText: 'There are 14 inner tubes.' }).waitFor();
    await workbench.preview().locator('header', { hasText: 'in the run' }).waitFor();
    await workbench.shot('kept-answer');
    // The last answer is shown in the same page.
    await workbench.focusSuite();
    await workbench.lens('Transcript').last().click();
    await workbench.preview().locator('header', { hasText: 'not accepted as the transcript' }).waitFor();
    const tab = workbench.page.locator('.tab', { hasText: 'Transcript TUBES1' });
    assert.equal(await tab.count(), 1);
    await tab.locator('.codicon-close').click();
    await tab.waitFor({ state: 'detached' });
  },

  'the hover of an id has the last verdicts': async (workbench) => {
    await workbench.putCursorAfter('WEEK1');
    await workbench.hover(workbench.page.locator('.monaco-hover', { hasText: 'Last verdicts:' }));
    await workbench.shot('kept-hover');
    await workbench.page.keyboard.press('Escape');
  },

  'the page of a transcript has the last verdicts': async (workbench) => {
    await workbench.lens('Transcript').last().click();
    const page = workbench.preview();
    await page.locator('h1', { hasText: 'TUBES1 FAIL' }).waitFor();
    await page.locator('.past li', { hasText: 'FAIL' }).waitFor();
    await page.locator('.past li', { hasText: 'assistant' }).waitFor();
    await workbench.shot('kept-page');
  },
});
