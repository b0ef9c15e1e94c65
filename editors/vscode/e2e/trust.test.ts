/** In Restricted Mode, suites are linted and judged, but runs are disabled. */

import assert from 'node:assert/strict';

import { AGENTS } from './support/agents';
import { TRANSCRIPTS, WITH_TYPO } from './support/files';
import { scenarios } from './support/scenario';

scenarios('restricted', { files: { 'evals/week.json': WITH_TYPO, ...TRANSCRIPTS, ...AGENTS }, settings: { 'security.workspace.trust.enabled': true } }, {
  'lints and judges': async (workbench) => {
    await workbench.openSuite('week.json');
    await workbench.findings().nth(1).waitFor();
    await workbench.line(/TUBES1.*FAIL/).waitFor();
    await workbench.page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor();
    await workbench.shot('restricted');
  },

  'does not run': async (workbench) => {
    await workbench.showTests();
    const suite = workbench.testItem('evals/week.json');
    await suite.hover();
    assert.equal(await suite.locator('.action-label[aria-label^="Run Test"]').count(), 0);
    await workbench.shot('restricted-tests');
  },

  'explains that runs are disabled, and leads to workspace trust': async (workbench) => {
    // VS Code drops a pending request for lenses if the editor loses the focus, and requests them again when it has the focus.
    await workbench.putCursorAfter('TUBES1');
    await workbench.lens('Runs are disabled: workspace not trusted').first().waitFor();
    await workbench.runCase();
    const message = workbench.notification('runs are disabled: the editor does not trust this workspace');
    await message.waitFor();
    await workbench.shot('restricted-message');
    await message.getByRole('button', { name: 'Manage Workspace Trust' }).click();
    await workbench.page.locator('.workspace-trust-editor').waitFor();
  },

  'runs after the workspace is trusted': async (workbench) => {
    await workbench.command('Workspaces: Manage Workspace Trust');
    await workbench.page.locator('.workspace-trust-editor').getByRole('button', { name: 'Trust', exact: true }).click();
    await workbench.clickTest('evals/week.json', 'Run Test');
    await workbench.allow('assistant.py');
    await workbench.expand('evals/week.json');
    await workbench.testItem('TUBES1', 'Failed').waitFor();
  },
});
