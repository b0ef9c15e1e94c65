/** The Test Explorer, and which files are suites. */

import { SUITE } from './support/files';
import { scenarios } from './support/scenario';

const files = {
  'eval-ls.toml': '[files]\ninclude = ["checks/*.json"]\n',
  'checks/week.json': SUITE,
  'notes.json': '{ "cases": 1 }\n',
};

scenarios('explorer', { files }, {
  'lists suites and their cases': async (workbench) => {
    await workbench.showTests();
    await workbench.expand('checks/week.json');
    await workbench.testItem('TUBES1').waitFor();
    await workbench.shot('explorer-tree');
  },

  'opens a case at its line': async (workbench) => {
    await workbench.testItem('TUBES1').dblclick();
    await workbench.page.locator('.tab.active[data-resource-name="week.json"]').waitFor();
    await workbench.page.locator('.statusbar-item', { hasText: 'Ln 17' }).waitFor();
  },

  'shows a suite that only eval-ls.toml includes': async (workbench) => {
    await workbench.waitForLanguage('Eval Suite');
    await workbench.openFile('notes.json');
    await workbench.waitForLanguage('JSON');
  },

  'updates while the user types': async (workbench) => {
    await workbench.openSuite('week.json');
    await workbench.putCursorAfter('TUBES1');
    await workbench.page.keyboard.type('-new');
    await workbench.testItem('TUBES1-new').waitFor();
    await workbench.testItem('WEEK1').waitFor();
  },
});
