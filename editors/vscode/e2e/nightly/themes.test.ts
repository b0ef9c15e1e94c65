/** Every surface in the default themes and in a narrow window: pictures for people, and no surface is missing. */

import { PARTS_ANSWER, PARTS_CASE, SUITE, TRANSCRIPTS } from '../support/files';
import { scenarios } from '../support/scenario';
import type { Workbench } from '../support/workbench';

/** The third case is PARTIAL, and the fourth has a typo and was never run. */
const files = {
  'evals/week.json': SUITE.replace(/\n {2}\]\n\}\n$/, `,
${PARTS_CASE},
    { "id": "NEW1", "prompt": "Who is on duty?", "expected": { "must_sya_any": ["Kim"] } }
  ]
}
`),
  ...TRANSCRIPTS,
  'evals/transcripts/week/PARTS1.json': PARTS_ANSWER,
  'eval-ls.toml': '',
};

const THEMES = [
  ['dark', 'Default Dark Modern', 'vs-dark'],
  ['light', 'Default Light Modern', 'vs'],
  ['high-contrast', 'Default High Contrast', 'hc-black'],
  ['high-contrast-light', 'Default High Contrast Light', 'hc-light'],
] as const;

/** Takes pictures of the verdicts in the file with a hover, of completion, of the problems, and of the walkthrough. */
async function pictures(workbench: Workbench, name: string): Promise<void> {
  await workbench.openSuite('week.json');
  await workbench.lens('Run suite').waitFor();
  await workbench.lens(/PASS/).first().waitFor();
  await workbench.lens(/FAIL/).first().waitFor();
  await workbench.lens(/PARTIAL/).first().waitFor();
  await workbench.putCursorAfter('fourteen tub');
  await workbench.hover(workbench.page.locator('.monaco-hover', { hasText: 'eval-ls verdict' }));
  await workbench.shot(`theme-${name}-verdicts`);
  await workbench.page.keyboard.press('Escape');

  await workbench.putCursorAfter('response_only');
  await workbench.press('Control+Space', workbench.suggestion('response_only'));
  await workbench.shot(`theme-${name}-completion`);
  await workbench.page.keyboard.press('Escape');

  await workbench.problems();
  await workbench.shot(`theme-${name}-problems`);
  await workbench.command('View: Hide Panel');

  await workbench.choose('Welcome: Open Walkthrough...', 'Get started with eval suites');
  await workbench.page.locator('.getting-started-step', { hasText: 'Create a first suite' }).waitFor();
  await workbench.shot(`theme-${name}-walkthrough`);
  await workbench.closeTab();
}

scenarios('themes', { files }, {
  'the Test Explorer is open': async (workbench) => {
    await workbench.openSuite('week.json');
    await workbench.showTests();
    await workbench.expand('evals/week.json');
    await workbench.lens('Run suite').waitFor();
  },

  ...Object.fromEntries(THEMES.map(([name, theme, kind]) => [`all surfaces are there in the ${name} theme`, async (workbench: Workbench) => {
    workbench.workspace.settings({ 'workbench.colorTheme': theme });
    await workbench.page.locator(`.monaco-workbench.${kind}`).waitFor();
    for (const [id, state] of [['WEEK1', 'Passed'], ['TUBES1', 'Failed'], ['PARTS1', '']] as const) {
      await workbench.testItem(id, state).waitFor();
    }
    await pictures(workbench, name);
  }])),

  'all surfaces are there in a narrow window': async (workbench) => {
    workbench.workspace.settings({});
    await workbench.page.keyboard.press('Control+b');
    await workbench.page.setViewportSize({ width: 620, height: 900 });
    await pictures(workbench, 'narrow');
  },
});
