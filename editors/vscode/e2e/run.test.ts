/** Running cases: from the keyboard, from the Test Explorer, and stopped. */

import assert from 'node:assert/strict';

import { AGENTS } from './support/agents';
import { SUITE } from './support/files';
import { scenarios } from './support/scenario';
import type { Workbench } from './support/workbench';

/** Runs the suite in the Test Explorer. */
async function runSuite(workbench: Workbench): Promise<void> {
  await workbench.clickTest('evals/week.json', 'Run Test');
  await workbench.testItem('WEEK1', 'Passed').waitFor();
  await workbench.testItem('TUBES1', 'Failed').waitFor();
}

/** Sixty cases, which end faster than VS Code requests lenses. */
const MANY = JSON.stringify({
  name: 'workshop',
  version: '0.2.0',
  cases: Array.from({ length: 60 }, (_, index) => ({ id: `DAY${index + 1}`, prompt: `How is day ${index + 1}?`, expected: { must_say_any: ['tubes'] } })),
}, undefined, 2);

const files = {
  'evals/week.json': SUITE,
  ...AGENTS,
  'eval-ls.toml': `${AGENTS['eval-ls.toml'].replace('[run]', '[run]\njobs = 4')}
[targets.quick]
kind = "command"
command = ["python3", "quick.py"]
`,
  'quick.py': AGENTS['assistant.py'].replace('import json, sys', 'import json, sys, time\ntime.sleep(0.3)'),
};

scenarios('run', { files }, {
  'asks before it starts a program': async (workbench) => {
    await workbench.openSuite('week.json');
    await workbench.status('2 not run').waitFor();
    // They appear later and move the lines.
    await workbench.lens('Run case').first().waitFor();
    await workbench.putCursorAfter('TUBES1');
    await workbench.runCase();
    const question = workbench.question('python3');
    await question.waitFor();
    await workbench.shot('run-asked');
    assert.match(await question.innerText(), /assistant\.py/);
    await workbench.allow('python3');
  },

  'shows the verdict above the case and on the failed phrase': async (workbench) => {
    await workbench.lens(/FAIL/).first().waitFor();
    await workbench.findings().first().waitFor();
    await workbench.status('1 failed').waitFor();
    await workbench.shot('run-failed');
  },

  'shows a run of a key in the Test Explorer': async (workbench) => {
    await workbench.showTests();
    await workbench.expand('evals/week.json');
    await workbench.testItem('TUBES1', 'Failed').waitFor();
    await workbench.shot('run-explorer');
  },

  'runs from the Test Explorer, and the finding at the line that failed is the only message there': async (workbench) => {
    await runSuite(workbench);
    await workbench.shot('run-explorer-suite');
    await workbench.command('View: Hide Panel');
    await workbench.findings().first().waitFor();
    assert.equal(await workbench.editor().locator('.test-error-content-widget').count(), 0);
    await workbench.shot('run-explorer-hints');
  },

  'judges the answer again while the user types, on every surface': async (workbench) => {
    await workbench.putCursorAfter('fourteen');
    await workbench.erase('fourteen');
    await workbench.page.keyboard.type('inner');
    await workbench.lens(/PASS/).nth(1).waitFor();
    await workbench.findings().first().waitFor({ state: 'detached' });
    await workbench.status('2 passed').waitFor();
    await workbench.testItem('TUBES1', 'Passed').waitFor();
    await workbench.page.locator('.testing-run-glyph.codicon-testing-passed-icon, .codicon-testing-passed-icon').nth(1).waitFor();
    await workbench.shot('run-edited');
  },
}, {
  'stops a target that hangs': async (workbench) => {
    workbench.workspace.write('stop/evals/stop.json', SUITE);
    await workbench.openSuite('stop.json');
    await workbench.settings({ 'eval-ls.target': 'slow' }, workbench.status('slow'));
    await workbench.putCursorAfter('TUBES1');
    await workbench.runCase();
    await workbench.allow('slow.py');
    await workbench.status('1 running, 1 not run').waitFor();
    await workbench.until(() => workbench.workspace.processes('slow.py').length === 1);
    const stop = workbench.lens(/ · Stop$/).last();
    await stop.waitFor();
    await workbench.shot('stop-running');
    // The status bar, the lens and the Test Explorer show the run.
    await workbench.notification('slow').waitFor({ state: 'detached' });
    await stop.click();
    await workbench.until(() => workbench.workspace.processes('slow.py').length === 0);
    await workbench.shot('stop-stopped');
  },
}, {
  'the lens counts while many cases run': async (workbench) => {
    workbench.workspace.settings({ 'eval-ls.target': 'quick' });
    workbench.workspace.write('many/evals/many.json', MANY);
    await workbench.openSuite('many.json');
    await workbench.status('60 not run · quick').waitFor();
    await workbench.runSuite();
    await workbench.allow('quick.py');
    const lens = workbench.lens(/^Running, \d+ of 60 left · Stop$/);
    const shown = new Set<string>();
    await workbench.until(async () => {
      if (await lens.isVisible()) {
        shown.add(await lens.innerText());
      }
      return shown.size === 3;
    });
    await workbench.shot('run-counting');
    await workbench.status('60 passed').waitFor();
    await workbench.lens('60 passed').waitFor();
  },
});
