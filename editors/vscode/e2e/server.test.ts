/** The server crashes, restarts, or does not exist. */

import assert from 'node:assert/strict';

import { AGENTS } from './support/agents';
import { SUITE, WITH_TYPO } from './support/files';
import { scenarios } from './support/scenario';

scenarios('server', { files: { 'evals/week.json': WITH_TYPO, 'evals/killed.json': SUITE, ...AGENTS } }, {
  'restarts after a crash and reports the reason': async (workbench) => {
    await workbench.openFile('week.json');
    await workbench.findings().first().waitFor();
    const [server, ...others] = workbench.workspace.processes('lsp');
    assert.deepEqual(others, [], 'there is one server');
    assert.ok(server !== undefined, 'there is a server');
    process.kill(server, 'SIGABRT');
    await workbench.notification('The eval-ls server was killed by SIGABRT. It was restarted.').waitFor();
    await workbench.shot('server-crashed');
    await workbench.findings().first().waitFor();
    await workbench.until(() => workbench.workspace.processes('lsp').length === 1);
    assert.notEqual(workbench.workspace.processes('lsp')[0], server);
  },

  'restarts on command': async (workbench) => {
    const [before] = workbench.workspace.processes('lsp');
    await workbench.command('Eval: Restart server');
    await workbench.until(() => {
      const [now, ...others] = workbench.workspace.processes('lsp');
      return now !== undefined && now !== before && others.length === 0;
    });
    await workbench.findings().first().waitFor();
  },
}, {
  'answers and the chosen target survive a server that is killed': async (workbench) => {
    await workbench.openSuite('killed.json');
    await workbench.runSuite();
    await workbench.allow('assistant.py');
    await workbench.status('1 failed, 1 passed · assistant').waitFor();
    await workbench.choose('Eval: Choose target', 'slow');
    await workbench.status('1 failed, 1 passed by assistant · next: slow').waitFor();
    const [server] = workbench.workspace.processes('lsp');
    assert.ok(server !== undefined, 'there is a server');
    process.kill(server, 'SIGKILL');
    await workbench.notification('The eval-ls server was killed by SIGKILL. It was restarted.').waitFor();
    await workbench.status('1 failed, 1 passed by assistant · next: slow').waitFor();
    await workbench.lens(/FAIL/).first().waitFor();
    await workbench.lens('Accept').nth(1).waitFor();
    await workbench.shot('server-killed');
  },
});

scenarios('no-server', { files: { 'evals/week.json': WITH_TYPO }, settings: { 'eval-ls.server.path': '/nowhere/eval-ls' } }, {
  'reports a missing program and opens the setting': async (workbench) => {
    await workbench.openFile('week.json');
    const notification = workbench.notification('eval-ls.server.path is "/nowhere/eval-ls", which is not an executable program');
    await notification.waitFor();
    await workbench.shot('server-missing');
    await notification.getByRole('button', { name: 'Open setting' }).click();
    await workbench.page.locator('.settings-editor .setting-item-label', { hasText: 'Path' }).first().waitFor();
    await workbench.shot('server-setting');
  },
});
