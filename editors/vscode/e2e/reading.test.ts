/** Hover texts in a suite. */

import { SUITE } from './support/files';
import { scenarios } from './support/scenario';

scenarios('reading', { files: { 'evals/week.json': SUITE } }, {
  'explains a key on hover': async (workbench) => {
    await workbench.openSuite('week.json');
    await workbench.line('"must_not_say": ["TODO"]').getByText('must_not_say').hover();
    await workbench.page.locator('.monaco-hover', { hasText: 'must_not_say' }).waitFor();
    await workbench.shot('hover');
  },
});
