/**
 * Measures, and asserts nothing: how long it takes from opening a suite to its finding in the editor, how much memory the
 * server has then, and how long the window is busy while somebody types, beside VS Code's own JSON server on the same file.
 * `npm run e2e -- e2e/measure.ts`
 */

import * as fs from 'node:fs';
import { it } from 'node:test';

import { Workbench } from './support/workbench';

/** A suite with `count` cases and a mistake on its second line. */
function suite(count: number): string {
  const cases = Array.from({ length: count }, (_, index) => ({
    id: `CASE-${index}`,
    category: 'measured',
    prompt: `How does week ${index} look? One line each for orders, calendar and stock, with a number.`,
    expected: {
      outcome: 'response_only',
      must_say_any: ['orders', 'order book', `week ${index}`],
      must_not_say: ['something went wrong', 'cannot load'],
      required_sources: ['github', 'slack'],
      must_ground_numbers: [{ label: 'orders', regex: 'orders:\\s*[0-9]+' }, { label: 'slots', value: '4', context_any: ['free slots'] }],
      must_match_regex: ['^## Week', '^- calendar:'],
      scoring: { hard_fail: ['numeric_grounding'], soft_score: { threshold: 0.8, weights: { synthesis_coverage: 0.5, numeric_grounding: 0.5 } } },
    },
  }));
  return JSON.stringify({ name: 7, version: '0.2.0', cases }, null, 2);
}

/** The resident memory of the processes whose command line has these words, in MB. */
function memory(words: string): number {
  const of = (pid: string): number => {
    try {
      return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').includes(words)
        ? Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
        : 0;
    } catch {
      return 0;
    }
  };
  return Math.round(fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map(of).reduce((sum, each) => sum + each, 0));
}

/** Milliseconds from asking for a file to its first underline, in a window that has been used. */
async function opening(workbench: Workbench, name: string): Promise<number> {
  await workbench.page.keyboard.press('Control+p');
  await workbench.page.locator('.quick-input-widget input').fill(name);
  await workbench.quickPick(name).waitFor();
  const begin = performance.now();
  await workbench.page.keyboard.press('Enter');
  await workbench.page.locator(`.tab.active[data-resource-name="${name}"]`).waitFor();
  await workbench.findings().first().waitFor();
  return Math.round(performance.now() - begin);
}

/** The number of keys that are typed, and the milliseconds between two of them. */
const KEYS = 60;
const PAUSE = 45;

/**
 * The long tasks of the window (over 50 ms each) from the first of 60 keys in the prompt of a case until the last of them is
 * on the page, and the milliseconds that this took.
 */
async function typing(workbench: Workbench, name: string, count: number): Promise<string> {
  const { page } = workbench;
  await opening(workbench, name);
  await workbench.putCursorAfter(`How does week ${count / 2} `);
  await page.evaluate(() => {
    const tasks: number[] = [];
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map((task) => task.duration))).observe(
      // Node's types, which hide the browser's, do not know long tasks.
      { type: 'longtask' as 'mark' },
    );
    Object.assign(globalThis, { tasks });
  });
  const begin = performance.now();
  for (let key = 0; key < KEYS; key++) {
    await page.keyboard.press('x', { delay: PAUSE });
  }
  await page.locator('.view-line', { hasText: 'x'.repeat(KEYS) }).waitFor();
  const took = Math.round(performance.now() - begin);
  const tasks = await page.evaluate(() => (globalThis as unknown as { tasks: number[] }).tasks);
  const busy = Math.round(tasks.reduce((sum, task) => sum + task, 0));
  return `${KEYS} keys in ${took} ms, ${tasks.length} long tasks of ${busy} ms`;
}

for (const count of [10, 1000]) {
  const text = suite(count);
  const size = `${count} cases, ${Math.round(text.length / 1000)} kB`;

  it(`opens a suite of ${size}`, async () => {
    const files = { 'evals/cold.json': text, 'evals/warm.json': text };
    const workbench = await Workbench.open({ files });
    try {
      const cold = await opening(workbench, 'cold.json');
      const warm = await opening(workbench, 'warm.json');
      console.log(`${size}: first suite of a window ${cold} ms, second ${warm} ms, server ${memory('server/eval-ls lsp')} MB for both`);
      console.log(`${size}: ${await typing(workbench, 'warm.json', count)}`);
    } finally {
      await workbench.close();
    }
  });

  it(`opens the same as plain JSON`, async () => {
    const settings = { 'files.associations': { '*.json': 'json' } };
    const files = { 'plain/cold-eval-set.json': text, 'plain/warm-eval-set.json': text };
    const workbench = await Workbench.open({ files, settings });
    try {
      const cold = await opening(workbench, 'cold-eval-set.json');
      const warm = await opening(workbench, 'warm-eval-set.json');
      console.log(`${size}, as plain JSON with the schema: first ${cold} ms, second ${warm} ms, VS Code's JSON server ${memory('jsonServerMain')} MB for both`);
      console.log(`${size}, as plain JSON with the schema: ${await typing(workbench, 'warm-eval-set.json', count)}`);
    } finally {
      await workbench.close();
    }
  });
}
