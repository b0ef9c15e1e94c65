/** The configuration's file: its colors, and comments. */

import { AGENTS } from './support/agents';
import { SUITE } from './support/files';
import { scenarios } from './support/scenario';

scenarios('configuration', { files: { 'evals/week.json': SUITE, ...AGENTS } }, {
  'has colors and comments': async (workbench) => {
    await workbench.openFile('eval-ls.toml');
    await workbench.waitForLanguage('eval-ls configuration');
    await workbench.putCursorAfter('target = ');
    await workbench.press('Control+/', workbench.line(/#\starget/));
    await workbench.until(async () => {
      const html = await workbench.editor().locator('.view-lines').first().innerHTML();
      return new Set(html.match(/class="mtk[^"]*"/g)).size > 2;
    });
    await workbench.shot('configuration');
  },
});
