/** Verdicts in the file: on the answers that are kept, and following what is typed. */

import { SUITE, TRANSCRIPTS } from './support/files';
import { scenarios } from './support/scenario';

scenarios('verdicts', { files: { 'evals/week.json': SUITE, ...TRANSCRIPTS } }, {
  'stand on the phrase that failed': async (workbench) => {
    await workbench.openFile('week.json');
    await workbench.findings().first().waitFor();
    await workbench.putCursorAfter('fourteen tub');
    await workbench.page.keyboard.press('Control+k');
    await workbench.page.keyboard.press('Control+i');
    await workbench.page.locator('.monaco-hover', { hasText: 'eval-ls verdict' }).waitFor();
    await workbench.shot('verdict-failed');
    await workbench.page.keyboard.press('Escape');
  },

  'follow what is typed, without another run': async (workbench) => {
    await workbench.putCursorAfter('fourteen');
    await workbench.erase('fourteen');
    await workbench.page.keyboard.type('14 inner');
    await workbench.findings().first().waitFor({ state: 'detached' });
    await workbench.shot('verdict-passes');
  },
});
