/** The extension's page in VS Code. */

import { SUITE } from './support/files';
import { scenarios } from './support/scenario';

/** What a page knows of a picture that it has loaded. */
interface Picture { complete: boolean; naturalWidth: number }

scenarios('page', { files: { 'evals/week.json': SUITE } }, {
  'shows its pictures': async (workbench) => {
    const extension = workbench.page.locator('.extensions-list .monaco-list-row', { hasText: 'Eval Suites' }).first();
    await workbench.press('Control+Shift+x', extension);
    await extension.click();
    const pictures = workbench.preview().locator('img');
    await pictures.nth(3).waitFor({ state: 'attached' });
    await workbench.until(() => pictures.evaluateAll((all) => (all as unknown as Picture[]).every((each) => each.complete && each.naturalWidth > 0)));
    await workbench.shot('page');
  },
});
