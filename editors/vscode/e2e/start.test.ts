/** First steps: an empty folder and the walkthrough. */

import assert from 'node:assert/strict';

import { scenarios } from './support/scenario';

scenarios('start', { files: { 'readme.txt': 'Nothing here yet.\n' } }, {
  'has a walkthrough': async (workbench) => {
    await workbench.command('Welcome: Open Walkthrough...');
    await workbench.quickPick('Get started with eval suites').click();
    await workbench.page.locator('.getting-started-step', { hasText: 'Create a first suite' }).waitFor();
    await workbench.shot('start-walkthrough');
  },

  'creates a suite without findings': async (workbench) => {
    await workbench.page.locator('.getting-started-step.expanded').getByRole('button', { name: 'Create a first suite' }).click();
    await workbench.page.locator('.tab.active[data-resource-name="first.evals.json"]').waitFor();
    await workbench.waitForLanguage('Eval Suite');
    await workbench.shot('start-suite');
    assert.match(workbench.server.read('eval-ls.toml'), /\[run\]/);
  },
});
