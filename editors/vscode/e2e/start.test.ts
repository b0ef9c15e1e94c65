/** First steps: an empty folder and the walkthrough. */

import assert from 'node:assert/strict';

import { scenarios } from './support/scenario';

scenarios('start', { files: { 'readme.txt': 'Nothing here yet.\n' } }, {
  'has a walkthrough': async (workbench) => {
    await workbench.choose('Welcome: Open Walkthrough...', 'Get started with eval suites');
    await workbench.page.locator('.getting-started-step', { hasText: 'Create a first suite' }).waitFor();
    await workbench.shot('start-walkthrough');
  },

  'creates a suite without findings': async (workbench) => {
    await workbench.page.locator('.getting-started-step.expanded').getByRole('button', { name: 'Create a first suite' }).click();
    await workbench.page.locator('.tab.active[data-resource-name="first.evals.json"]').waitFor();
    await workbench.waitForLanguage('Eval Suite');
    await workbench.shot('start-suite');
    assert.match(workbench.workspace.read('eval-ls.toml'), /\[run\]/);
  },

  'runs the suite from the walkthrough': async (workbench) => {
    await workbench.choose('Welcome: Open Walkthrough...', 'Get started with eval suites');
    await workbench.page.locator('.getting-started-step', { hasText: 'Run it' }).click();
    await workbench.page.locator('.getting-started-step.expanded').getByRole('button', { name: 'Run the suite' }).click();
    await workbench.page.locator('.tab.active[data-resource-name="first.evals.json"]').waitFor();
    await workbench.status('1 failed, 1 passed · replay').waitFor();
    await workbench.lens(/^Run · PASS/).first().waitFor();
    await workbench.shot('start-run');
  },

  'adds a target from the walkthrough, and its first answer gets a verdict': async (workbench) => {
    await workbench.choose('Welcome: Open Walkthrough...', 'Get started with eval suites');
    await workbench.page.locator('.getting-started-step', { hasText: 'Ask your assistant' }).click();
    await workbench.shot('start-walkthrough-target');
    await workbench.page.locator('.getting-started-step.expanded').getByRole('button', { name: 'Add a target' }).click();
    await workbench.pick('Python program');
    // The cursor is where the work is.
    await workbench.page.locator('.tab.active', { hasText: 'agent.py' }).waitFor();
    await workbench.line('def answer').waitFor();
    await workbench.notification('agent is the target for runs now, here and in the terminal. Add the call to your assistant to agent.py.').waitFor();
    assert.match(workbench.workspace.read('eval-ls.toml'), /^target = "agent"/m);
    await workbench.shot('start-target');
    await workbench.openSuite('first.evals.json');
    await workbench.status('next: agent').waitFor();
    await workbench.runSuite();
    await workbench.allow('agent.py');
    await workbench.status('2 failed · agent').waitFor();
    await workbench.shot('start-verdict');
  },

  'adds a Node.js program and a web app': async (workbench) => {
    await workbench.choose('Eval: Add target', 'Node.js program');
    await workbench.page.locator('.tab.active', { hasText: 'node.mjs' }).waitFor();
    await workbench.line('async function answer').waitFor();
    await workbench.shot('start-node');
    await workbench.choose('Eval: Add target', 'Web app in a browser');
    await workbench.page.locator('.quick-input-message', { hasText: 'The address of the app' }).waitFor();
    const address = workbench.quickInput();
    await address.fill('localhost:4000');
    await workbench.page.locator('.quick-input-message', { hasText: 'The address starts with http:// or https://.' }).waitFor();
    await address.fill('http://localhost:4000');
    await workbench.page.keyboard.press('Enter');
    await workbench.line('[targets.app]').waitFor();
    await workbench.line('url = "http://localhost:4000"').waitFor();
    await workbench.shot('start-browser');
    await workbench.openSuite('first.evals.json');
    await workbench.status('next: app').waitFor();
  },

  'shows why a target cannot be added': async (workbench) => {
    workbench.workspace.write('eval-ls.toml', 'targets = {}\n');
    await workbench.choose('Eval: Add target', 'Node.js program');
    await workbench.notification('the target cannot be added to eval-ls.toml').waitFor();
    assert.equal(workbench.workspace.exists('agent.mjs'), false);
  },
});
