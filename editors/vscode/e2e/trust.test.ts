/** Restricted Mode: suites are linted, and nothing runs. */

import { WITH_TYPO } from './support/files';
import { scenarios } from './support/scenario';

scenarios('restricted', { files: { 'evals/week.json': WITH_TYPO }, restricted: true }, {
  'lints': async (workbench) => {
    await workbench.openFile('week.json');
    await workbench.findings().first().waitFor();
    await workbench.page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor();
    await workbench.shot('restricted');
  },
});
