/** The last answer of a case as a page: its evidence, the way from a check to the answer and to the suite, and the way back. */

import assert from 'node:assert/strict';

import type { FrameLocator } from 'playwright-core';

import { SUITE } from './support/files';
import { scenarios } from './support/scenario';
import type { Workbench } from './support/workbench';

/** It would run a script if the page showed it as HTML. */
const HOSTILE = '</script><script>window.pwned = 1</script><img src=x onerror="window.pwned = 1">';

const ANSWER = `## Week 12

- orders: 23 open
- calendar: 4 free slots

| day | slots |
| --- | --- |
| Monday | 3 |

> Thursday is a holiday, so **TODO** ask for Friday.
${HOSTILE}

[The plan](https://example.com/plan) ![A chart](https://example.com/chart.png)`;

const TELEMETRY = [
  { ts: '2026-11-21T10:00:00.000Z', level: 'info', source: 'tool.get_orders', event: 'start', data: { week: 12 } },
  { ts: '2026-11-21T10:00:00.420Z', level: 'info', source: 'tool.get_orders', event: 'result', data: { open: 23 } },
  { ts: '2026-11-21T10:00:01.250Z', level: 'info', source: 'assistant', event: 'answer', data: { tokens: 48 } },
  'a line that is not JSON',
];

const files = {
  'evals/week.json': SUITE
    .replace('"prompt": "How', '"setup_prompts": ["You are the assistant of a bicycle workshop."],\n      "prompt": "How')
    .replace('"must_say_any": ["orders"]', '"required_sources": ["orders", "posthog"],\n        "tool_calls_any": ["get_orders"],\n        "must_say_any": ["Week 12"]')
    .replace('["^- calendar:"]\n      }', '["^- calendar:"],\n        "scoring": { "soft_score": { "threshold": 0.9, "weights": { "synthesis_coverage": 0.5, "tool_hygiene": 0.3, "formatting": 0.2 } } }\n      }'),
  'evals/transcripts/week/WEEK1.json': JSON.stringify({
    format: 'eval-ls/transcript@1', case: 'WEEK1', target: 'assistant', recorded_at: '2026-11-21T10:00:02Z', duration_ms: 1400,
    setup_prompts: ['You are the assistant of a bicycle workshop.'], prompt: 'How does the week look?', response: ANSWER, telemetry: TELEMETRY,
  }, null, 2),
  'eval-ls.toml': '',
};

const page = (workbench: Workbench): FrameLocator => workbench.preview();

scenarios('transcript', { files }, {
  'a transcript opens as a page': async (workbench) => {
    const blocked: string[] = [];
    workbench.page.on('console', (message) => {
      if (message.text().includes('Content Security Policy') && message.text().includes('sha256')) blocked.push(message.text());
    });
    await workbench.openSuite('week.json');
    await workbench.lens('Open').click();
    await page(workbench).locator('h1', { hasText: 'WEEK1 FAIL' }).waitFor();
    await page(workbench).locator('.prompt', { hasText: 'How does the week look?' }).waitFor();
    await page(workbench).locator('.lines .heading', { hasText: 'Week 12' }).waitFor();
    await page(workbench).locator('.lines .quote', { hasText: '**TODO**' }).waitFor();
    await page(workbench).locator('.lines', { hasText: HOSTILE }).waitFor();
    assert.equal(await page(workbench).locator('.lines :is(a, img, script)').count(), 0);
    await page(workbench).locator('.events li.marked', { hasText: '+0.00 s' }).waitFor();
    await page(workbench).getByText('0.3 × 1 = 0.3').waitFor();
    assert.equal(await page(workbench).locator('body').evaluate(`'pwned' in window`), false);
    assert.deepEqual(blocked, []);
    await workbench.shot('transcript-beside');
  },

  'a check leads to its text, and the text to its check': async (workbench) => {
    await page(workbench).locator('.checks button', { hasText: /must_not_say.*TODO/ }).click();
    await page(workbench).locator('.lines mark.failed.chosen', { hasText: 'TODO' }).waitFor();
    await page(workbench).locator('.lines mark', { hasText: '- calendar:' }).click();
    await page(workbench).locator('.checks .chosen', { hasText: 'must_match_regex' }).waitFor();
    assert.equal(await page(workbench).locator('.checks .chosen').count(), 1);
    await page(workbench).locator('.events li.marked').first().click();
    await page(workbench).locator('.checks .chosen', { hasText: 'get_orders' }).waitFor();
    await workbench.shot('transcript-chosen');
  },

  'a check leads to its line in the suite': async (workbench) => {
    await page(workbench).locator('.checks li', { hasText: /must_not_say.*TODO/ }).getByRole('button', { name: 'suite' }).click();
    await workbench.page.locator('.statusbar-item', { hasText: 'Ln 15' }).waitFor();
  },

  'the page follows the suite while it is edited': async (workbench) => {
    await workbench.putCursorAfter('"TODO');
    await workbench.page.keyboard.type('S');
    await page(workbench).locator('.checks', { hasText: /must_not_say.*TODOS/ }).waitFor();
    await page(workbench).locator('mark.failed').first().waitFor({ state: 'detached' });
    await workbench.page.keyboard.press('Control+z');
    await page(workbench).locator('mark.failed', { hasText: 'TODO' }).waitFor();
  },

  'it follows the theme and fits into a narrow window': async (workbench) => {
    await workbench.page.keyboard.press('Control+b');
    await workbench.page.locator('.tab[data-resource-name="week.json"] .codicon-close').click();
    await workbench.page.locator('.tab[data-resource-name="week.json"]').waitFor({ state: 'detached' });
    await page(workbench).locator('h1', { hasText: 'WEEK1' }).waitFor();
    await workbench.shot('transcript-dark');
    for (const [theme, name] of [['Default Light Modern', 'vscode-light'], ['Default High Contrast', 'vscode-high-contrast'], ['Default High Contrast Light', 'vscode-high-contrast-light']] as const) {
      workbench.workspace.settings({ 'workbench.colorTheme': theme });
      await page(workbench).locator(`body.${name}`).waitFor();
      await workbench.shot(`transcript-${name}`);
    }
    workbench.workspace.settings({});
    await page(workbench).locator('body.vscode-dark').waitFor();
    await workbench.page.setViewportSize({ width: 620, height: 900 });
    await workbench.shot('transcript-narrow');
    await workbench.page.setViewportSize({ width: 1280, height: 800 });
  },

  'it comes back after the window is reloaded': async (workbench) => {
    await workbench.reload('evalLs.transcript');
    await page(workbench).locator('h1', { hasText: 'WEEK1 FAIL' }).waitFor();
    assert.equal(await workbench.page.locator('.tab', { hasText: 'Transcript' }).count(), 1);
    await workbench.shot('transcript-reloaded');
  },

  'its JSON is one click away': async (workbench) => {
    await page(workbench).getByRole('button', { name: 'Open JSON' }).click();
    await workbench.page.locator('.tab.active[data-resource-name="WEEK1.json"]').waitFor();
    await workbench.line('"format": "eval-ls/transcript@1"').waitFor();
  },
});
