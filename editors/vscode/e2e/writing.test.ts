/** Completion, accepted from the keyboard. */

import { SUITE } from './support/files';
import { scenarios } from './support/scenario';

scenarios('writing', { files: { 'evals/week.json': SUITE } }, {
  'completes an outcome': async (workbench) => {
    await workbench.openSuite('week.json');
    await workbench.waitForLanguage('Eval Suite');
    await workbench.status('not run').waitFor();
    await workbench.putCursorAfter('response_only');
    await workbench.erase('response_only');
    await workbench.page.keyboard.type('grace');
    await workbench.suggestion('graceful_block').waitFor();
    await workbench.shot('completion-outcome');
    await workbench.page.keyboard.press('Enter');
    await workbench.line('"outcome": "graceful_block",').waitFor();
  },

  'completes a scoring group': async (workbench) => {
    await workbench.putCursorAfter('["^- calendar:"]');
    await workbench.page.keyboard.type(', "scoring": { "hard_fail": ["num');
    await workbench.suggestion('numeric_grounding').waitFor();
    await workbench.shot('completion-group');
    await workbench.page.keyboard.press('Enter');
    await workbench.line('"hard_fail": ["numeric_grounding"]').waitFor();
    await workbench.shot('completion-accepted');
  },
});
