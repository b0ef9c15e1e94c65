/** Lenses run cases and open results. */

import assert from 'node:assert/strict';

import { AGENTS } from './support/agents';
import { SUITE } from './support/files';
import { scenarios } from './support/scenario';

scenarios('lens', { files: { 'evals/week.json': SUITE, ...AGENTS } }, {
  'a run that a person refuses shows no error': async (workbench) => {
    await workbench.openSuite('week.json');
    const question = workbench.question('assistant.py');
    for (let times = 0; times < 2; times += 1) {
      await workbench.lens('Run case').nth(1).click();
      await question.getByRole('button', { name: 'Cancel' }).click();
      await question.waitFor({ state: 'detached' });
    }
    // The second question came after the end of the first request.
    await workbench.status('2 not run').waitFor();
    assert.equal(await workbench.notification(/./).count(), 0);
    await workbench.shot('lens-refused');
  },

  'runs a case with a click': async (workbench) => {
    await workbench.lens('Run case').nth(1).waitFor();
    await workbench.shot('lens');
    await workbench.lens('Run case').nth(1).click();
    await workbench.allow('assistant.py');
    await workbench.lens(/^Run · FAIL/).waitFor();
    await workbench.findings().first().waitFor();
    await workbench.shot('lens-failed');
  },

  'shows the results in the preview': async (workbench) => {
    await workbench.lens('Results').click();
    await workbench.preview().getByText('TUBES1').first().waitFor();
    await workbench.shot('lens-result');
    await workbench.closeTab();
  },

  'shows the transcript': async (workbench) => {
    await workbench.lens('Open').click();
    await workbench.preview().locator('h1', { hasText: 'TUBES1 FAIL' }).waitFor();
    await workbench.preview().locator('.lines', { hasText: 'There are 14 inner tubes.' }).waitFor();
    await workbench.shot('lens-transcript');
    await workbench.page.locator('.tab', { hasText: 'Transcript TUBES1' }).locator('.codicon-close').click();
  },

  'runs a suite from the editor title': async (workbench) => {
    await workbench.page.locator('.editor-actions .action-label[aria-label^="Run suite"]').first().click();
    await workbench.lens(/PASS/).first().waitFor();
    await workbench.lens(/^Run suite \(2\) · 1 passed · 1 failed/).waitFor();
  },

  'shows the status of the server': async (workbench) => {
    await workbench.command('Eval: Show status');
    await workbench.preview().getByText('week.json').first().waitFor();
    await workbench.shot('status');
  },
});
