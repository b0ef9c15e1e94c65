/** What the editor says of a suite to who reads it. */

import { SUITE } from './support/files';
import { scenarios } from './support/scenario';

scenarios('reading', { files: { 'evals/week.json': SUITE } }, {
  'says on hovering what a key does': async (workbench) => {
    await workbench.openFile('week.json');
    await workbench.line('"must_not_say": ["TODO"]').getByText('must_not_say').hover();
    await workbench.page.locator('.monaco-hover', { hasText: 'must_not_say' }).waitFor();
    await workbench.shot('hover');
  },
});
