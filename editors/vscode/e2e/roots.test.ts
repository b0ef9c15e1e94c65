/** A workspace of two folders. */

import { SUITE, TRANSCRIPTS } from './support/files';
import { scenarios } from './support/scenario';

const below = (root: string): Record<string, string> =>
  Object.fromEntries(Object.entries({ 'evals/week.json': SUITE, ...TRANSCRIPTS }).map(([name, text]) => [`${root}/${name}`, text]));

scenarios('roots', { files: { ...below('alpha'), ...below('beta'), 'beta/eval-ls.toml': '[run]\ntarget = "agent"\n\n[targets.agent]\nkind = "command"\ncommand = ["python3", "agent.py"]\n' }, roots: ['alpha', 'beta'] }, {
  'each folder has its suites, and its configuration': async (workbench) => {
    await workbench.showTests();
    await workbench.testItem('alpha/evals').waitFor();
    await workbench.testItem('beta/evals').waitFor();
    await workbench.expand('beta/evals');
    await workbench.testItem('TUBES1').dblclick();
    await workbench.status('1 failed, 1 passed by replay · next: agent').waitFor();
    await workbench.testItem('TUBES1', 'Failed').waitFor();
    await workbench.expand('alpha/evals');
    await workbench.testItem('TUBES1').nth(1).waitFor();
    await workbench.testItem('TUBES1').first().dblclick();
    await workbench.status('1 failed, 1 passed · replay').waitFor();
    await workbench.testItem('TUBES1', 'Failed').filter({ hasText: 'FAIL 1 of 3 checks' }).nth(1).waitFor();
    await workbench.shot('roots');
  },
});
