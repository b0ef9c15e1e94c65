/** The configuration's file: its colors and comments, its errors, and the hint that a fix defines. */

import { AGENTS } from './support/agents';
import { SUITE } from './support/files';
import { scenarios } from './support/scenario';

const WITH_HINT = JSON.stringify({
  name: 'hints', version: '0.2.0',
  cases: [{ id: 'LIST', category: 'c', prompt: 'What is open?', expected: { outcome: 'response_only', ui: ['A list is shown.'] } }],
}, undefined, 2);

scenarios('configuration', { files: { 'evals/week.json': SUITE, 'evals/hints.json': WITH_HINT, ...AGENTS } }, {
  'opens the configuration where the phrases of a new UI hint are written': async (workbench) => {
    await workbench.openSuite('hints.json');
    await workbench.findings().first().waitFor();
    await workbench.putCursorAfter('A list is');
    await workbench.offer('Define the UI hint');
    await workbench.shot('hint-offered');
    await workbench.page.keyboard.press('Enter');
    await workbench.waitForLanguage('TOML');
    await workbench.line('hint = "A list is shown."').waitFor();
    await workbench.page.keyboard.type('23 open');
    await workbench.line('all = ["23 open"]').waitFor();
    await workbench.findings().first().waitFor({ state: 'detached' });
    await workbench.shot('hint-defined');
    await workbench.page.keyboard.press('Control+s');
    await workbench.openSuite('hints.json');
    await workbench.findings().first().waitFor({ state: 'detached' });
  },
}, {
  'has colors and comments': async (workbench) => {
    await workbench.openFile('eval-ls.toml');
    await workbench.waitForLanguage('TOML');
    await workbench.putCursorAfter('target = ');
    await workbench.press('Control+/', workbench.line(/#\starget/));
    await workbench.until(async () => {
      const html = await workbench.editor().locator('.view-lines').first().innerHTML();
      return new Set(html.match(/class="mtk[^"]*"/g)).size > 2;
    });
    await workbench.shot('configuration');
    await workbench.press('Control+/', workbench.line(/^target/));
  },

  'marks a misspelt key before it is saved, and the quick fix corrects it': async (workbench) => {
    await workbench.page.keyboard.press('End');
    await workbench.page.keyboard.type('\njob = 2');
    await workbench.findings().first().waitFor();
    await workbench.page.keyboard.press('Home');
    await workbench.offer('Change it to `jobs`');
    await workbench.shot('configuration-fix');
    await workbench.page.keyboard.press('Enter');
    await workbench.line('jobs = 2').waitFor();
    await workbench.findings().first().waitFor({ state: 'detached' });
  },
});
