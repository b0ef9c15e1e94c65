/** Kept runs: answers that survive a reload, and runs that got no answer. */

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
    await workbench.lens(/FAIL/).first().waitFor();
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
    await workbench.lens(/^Run · ERROR last run failed/).waitFor();
    await workbench.showTests();
    await workbench.expand('evals/week.json');
    await workbench.testItem('WEEK1', 'Errored').waitFor();
    await workbench.shot('kept-failed');
  },
});
