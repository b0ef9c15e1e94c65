/** Verdicts in the file: on stored transcripts, and after edits. */

import { SUITE, TRANSCRIPTS } from './support/files';
import { scenarios } from './support/scenario';

scenarios('verdicts', { files: { 'evals/week.json': SUITE, ...TRANSCRIPTS } }, {
  'are in the Test Explorer and the status bar without a run': async (workbench) => {
    await workbench.openSuite('week.json');
    await workbench.status('1 fail, 1 pass').waitFor();
    await workbench.showTests();
    await workbench.expand('evals/week.json');
    await workbench.testItem('WEEK1', 'Passed').waitFor();
    await workbench.testItem('TUBES1', 'Failed').waitFor();
    await workbench.shot('verdict-seeded');
  },

  'appear on the failed phrase': async (workbench) => {
    await workbench.openSuite('week.json');
    await workbench.findings().first().waitFor();
    await workbench.putCursorAfter('fourteen tub');
    await workbench.hover(workbench.page.locator('.monaco-hover', { hasText: 'eval-ls verdict' }));
    await workbench.shot('verdict-failed');
    await workbench.page.keyboard.press('Escape');
  },

  'follow edits without another run': async (workbench) => {
    await workbench.putCursorAfter('fourteen');
    await workbench.erase('fourteen');
    await workbench.page.keyboard.type('14 inner');
    await workbench.findings().first().waitFor({ state: 'detached' });
    await workbench.shot('verdict-passes');
  },
});
