/** The report of a run as a page. */

import assert from 'node:assert/strict';

import type { FrameLocator, Locator } from 'playwright-core';

import { AGENTS } from './support/agents';
import { SUITE } from './support/files';
import { scenarios } from './support/scenario';
import type { Workbench } from './support/workbench';

/** It would run a script if the page showed it as HTML. */
const HOSTILE = '</script><script>window.pwned = 1</script><img src=x onerror="window.pwned = 1">';

const files = {
  'evals/week.json': SUITE,
  ...AGENTS,
  'assistant.py': AGENTS['assistant.py'].replace('There are 14', `${HOSTILE.replaceAll('"', '\\"')} There are 14`),
};

const page = (workbench: Workbench): FrameLocator => workbench.preview();
const heading = (workbench: Workbench): Locator => page(workbench).locator('h1#verdict');

interface Colours { back: string; text: string; editor: string; theme: string }

/** Runs on the page: its colours, and the theme of its body. */
const COLOURS = `(() => {
  const { body } = document;
  const style = getComputedStyle(body);
  const probe = document.createElement('i');
  probe.style.color = 'var(--vscode-editor-background)';
  body.append(probe);
  const editor = getComputedStyle(probe).color;
  probe.remove();
  return { back: style.backgroundColor, text: style.color, editor, theme: body.className };
})()`;

const colours = (workbench: Workbench): Promise<Colours> => page(workbench).locator('body').evaluate(COLOURS);

scenarios('report', { files }, {
  'a run opens as a page that follows the theme': async (workbench) => {
    const blocked: string[] = [];
    workbench.page.on('console', (message) => {
      if (message.text().includes('Content Security Policy') && message.text().includes('sha256')) blocked.push(message.text());
    });
    await workbench.openSuite('week.json');
    await workbench.runSuite();
    await workbench.allow('assistant.py');
    await workbench.status('1 failed, 1 passed').waitFor();
    await workbench.lens('Report').click();
    await heading(workbench).getByText('1 of 2 cases passed').waitFor();
    await page(workbench).locator('#detail h2', { hasText: 'TUBES1' }).waitFor();
    // The suite stays visible.
    await workbench.page.locator('.view-line', { hasText: '"WEEK1"' }).first().waitFor();
    // The hostile answer is text.
    await page(workbench).locator('.lines', { hasText: HOSTILE }).waitFor();
    assert.equal(await page(workbench).locator('body').evaluate(`'pwned' in window`), false);
    assert.deepEqual(blocked, []);
    const dark = await colours(workbench);
    assert.match(dark.theme, /vscode-dark/);
    assert.equal(dark.back, dark.editor);
    await workbench.shot('report-dark');

    for (const [theme, name] of [['Default Light Modern', 'vscode-light'], ['Default High Contrast', 'vscode-high-contrast'], ['Default High Contrast Light', 'vscode-high-contrast-light']] as const) {
      workbench.workspace.settings({ 'workbench.colorTheme': theme });
      await page(workbench).locator(`body.${name}`).waitFor();
      const shown = await colours(workbench);
      assert.equal(shown.back, shown.editor, theme);
      assert.notEqual(shown.back, shown.text, theme);
      await workbench.shot(`report-${name}`);
    }
    workbench.workspace.settings({});
    await page(workbench).locator('body.vscode-dark').waitFor();
    await workbench.page.setViewportSize({ width: 760, height: 900 });
    await workbench.shot('report-narrow');
    await workbench.page.setViewportSize({ width: 1280, height: 800 });
  },

  'a case of the page opens in the suite, and the page keeps its selection': async (workbench) => {
    await page(workbench).locator('.row', { hasText: 'WEEK1' }).click();
    await page(workbench).locator('#detail h2', { hasText: 'WEEK1' }).waitFor();
    await page(workbench).getByRole('button', { name: 'Open in the suite' }).click();
    await workbench.page.locator('.statusbar-item', { hasText: 'Ln 6' }).waitFor();
    assert.equal(await workbench.page.locator('.tab[data-resource-name="week.json"]').count(), 1);
    await workbench.shot('report-beside');
    // A tab that was hidden is made again.
    await workbench.page.locator('.tab', { hasText: 'Report' }).click();
    await workbench.openFile('eval-ls.toml');
    await workbench.page.locator('.tab', { hasText: 'Report' }).click();
    await page(workbench).locator('#detail h2', { hasText: 'WEEK1' }).waitFor();
  },

  'the page comes back after the window is reloaded': async (workbench) => {
    await workbench.reload('evalLs.report');
    // VS Code stores the active tab some time after a click, so another one may be active now.
    await workbench.page.locator('.tab', { hasText: 'Report' }).click();
    await heading(workbench).getByText('1 of 2 cases passed').waitFor();
    await page(workbench).locator('.row', { hasText: 'WEEK1' }).waitFor();
  },

  'the palette opens the report of the last run': async (workbench) => {
    await workbench.command('View: Close All Editors');
    await workbench.command('Eval: Open report');
    await heading(workbench).getByText('1 of 2 cases passed').waitFor();
  },
});
