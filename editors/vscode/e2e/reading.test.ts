/** Hover texts in a suite. */

import { SUITE } from './support/files';
import { scenarios } from './support/scenario';

scenarios('reading', { files: { 'evals/week.json': SUITE } }, {
  'explains a key on hover': async (workbench) => {
    await workbench.openSuite('week.json');
    await workbench.putCursorAfter('"must_not_say": ["TODO');
    for (let left = '_say": ["TODO'.length; left > 0; left -= 1) {
      await workbench.page.keyboard.press('ArrowLeft');
    }
    await workbench.hover(workbench.page.locator('.monaco-hover', { hasText: 'must_not_say' }));
    await workbench.shot('hover');
  },
});
