/** In Restricted Mode, suites are linted and judged, but runs are disabled. Hostile texts and settings have no effect. */

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';

import { AGENTS } from './support/agents';
import { TRANSCRIPTS, WITH_TYPO } from './support/files';
import { scenarios } from './support/scenario';
import type { Workbench } from './support/workbench';

scenarios('restricted', { files: { 'evals/week.json': WITH_TYPO, ...TRANSCRIPTS, ...AGENTS }, settings: { 'security.workspace.trust.enabled': true } }, {
  'lints and judges': async (workbench) => {
    await workbench.openSuite('week.json');
    await workbench.findings().nth(1).waitFor();
    await workbench.lens(/FAIL/).first().waitFor();
    await workbench.page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor();
    await workbench.shot('restricted');
  },

  'does not run': async (workbench) => {
    await workbench.showTests();
    const suite = workbench.testItem('evals/week.json');
    await suite.hover();
    assert.equal(await suite.locator('.action-label[aria-label^="Run Test"]').count(), 0);
    await workbench.expand('evals/week.json');
    await workbench.testItem('TUBES1', 'Failed').waitFor();
    assert.equal(await workbench.editor().locator('.testing-run-glyph').count(), 0);
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
    await workbench.testItem('TUBES1', 'Failed').waitFor();
    await workbench.openSuite('week.json');
    await workbench.editor().locator('.testing-run-glyph').first().waitFor();
  },
});

/** A link to a command and an image, as Markdown and as HTML. */
const HOSTILE = 'ten](command:workbench.action.closeAllEditors?evil) ![p](https://localhost/evil.png) <img src="evil"> [b](https://localhost/evil)';

const HOSTILE_SUITE = JSON.stringify({
  name: HOSTILE,
  version: '0.2.0',
  cases: [
    { id: `NO ${HOSTILE}`, category: HOSTILE, prompt: HOSTILE, expected: { outcome: 'response_only' } },
    { id: 'JUDGED', prompt: HOSTILE, expected: { must_say_any: [`not ${HOSTILE}`], must_match_regex: ['^(evil'] } },
  ],
}, null, 2);

const HOSTILE_ANSWER = JSON.stringify({ format: 'eval-ls/transcript@1', case: 'JUDGED', prompt: HOSTILE, response: `${HOSTILE}\n# ${HOSTILE}` });

/** No link and no image in the window, or in a page that it shows, comes from the hostile text. */
async function expectNoEvil(workbench: Workbench): Promise<void> {
  for (const frame of workbench.page.frames()) {
    assert.equal(await frame.locator('a[href*="evil"], [data-href*="evil"], img[src*="evil"]').count(), 0);
  }
}

scenarios('hostile', { files: { 'evals/hostile.json': HOSTILE_SUITE, 'evals/transcripts/hostile/JUDGED.json': HOSTILE_ANSWER }, settings: { 'security.workspace.trust.enabled': true } }, {
  'settings of the workspace and a program in it start nothing': async (workbench) => {
    const { workspace } = workbench;
    for (const name of ['eval-ls', 'bin/eval-ls']) {
      workspace.write(name, '#!/bin/sh\ntouch "$(dirname "$0")/started"\n');
      fs.chmodSync(path.join(workspace.folder, name), 0o755);
    }
    workspace.settings({ 'eval-ls.server.path': path.join(workspace.folder, 'bin/eval-ls') });
    await workbench.openSuite('hostile.json');
    await workbench.lens(/FAIL/).first().waitFor();
    await workbench.command('Eval: Restart server');
    await workbench.putCursorAfter('"JUDGED');
    await workbench.lens('Runs are disabled: workspace not trusted').first().waitFor();
    assert.deepEqual([workspace.exists('started'), workspace.exists('bin/started')], [false, false]);
  },

  'names and answers become no link': async (workbench) => {
    await workbench.showTests();
    await workbench.expand('evals/hostile.json');
    await workbench.testItem('JUDGED', 'Failed').waitFor();
    await workbench.putCursorAfter('"not ten');
    await workbench.hover(workbench.page.locator('.monaco-hover:not(.hidden) .hover-row', { hasText: 'closeAllEditors' }).first());
    await expectNoEvil(workbench);
    await workbench.shot('hostile-hover');
    await workbench.putCursorAfter('"NO ten');
    await workbench.runCase();
    await workbench.notification('runs are disabled').waitFor();
    await workbench.command('Eval: Open transcript');
    await workbench.notification('closeAllEditors').waitFor();
    await expectNoEvil(workbench);
    await workbench.shot('hostile-message');
    await workbench.problems();
    await expectNoEvil(workbench);
    await workbench.putCursorAfter('"JUDGED');
    await workbench.lens('Open').last().click();
    await workbench.preview().getByText('closeAllEditors').first().waitFor();
    await expectNoEvil(workbench);
    await workbench.shot('hostile-result');
  },
});
