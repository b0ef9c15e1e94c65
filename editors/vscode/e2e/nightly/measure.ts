/**
 * Measures, and asserts nothing: how long it takes from opening a suite to its finding in the editor, how much memory the
 * server has then, how long the window is busy while somebody types, and how long it takes from a key to its underline,
 * beside VS Code's own JSON server on the same file. Both windows are open, and take turns.
 * `npm run e2e -- e2e/nightly/measure.ts`
 */

import * as fs from 'node:fs';
import { describe, it } from 'node:test';
import * as path from 'node:path';

import { Window } from '../support/window';
import { Workbench } from '../support/workbench';

/** A case without a finding; `@` is its number. */
const CASE = fs.readFileSync(path.resolve(__dirname, '../../../../benches/suites/clean.json'), 'utf8').trimEnd();

/** A suite with `count` cases and a mistake on its second line. */
function suite(count: number): string {
  const cases = Array.from({ length: count }, (_, index) => CASE.replaceAll('@', String(index)));
  return `{\n  "name": 7,\n  "version": "0.2.0",\n  "cases": [\n${cases.join(',\n')}\n  ]\n}\n`;
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

/** Milliseconds from asking for a file to its first underline. */
async function opening(workbench: Workbench, name: string): Promise<number> {
  await workbench.page.keyboard.press('Control+p');
  await workbench.page.locator('.quick-input-widget input').fill(name);
  await workbench.quickPick(name).waitFor();
  const begin = performance.now();
  await workbench.page.keyboard.press('Enter');
  await workbench.page.locator(`.tab.active[data-resource-name="${name}"]`).waitFor();
  await workbench.findings().first().waitFor();
  return performance.now() - begin;
}

/** The number of keys that are typed, and the milliseconds between two of them. */
const KEYS = 60;
const PAUSE = 45;

/**
 * The number of long tasks of the window (over 50 ms each) and their milliseconds, from the first of 60 keys in the prompt of
 * a case until the last of them is on the page, and the milliseconds that this took.
 */
async function typing(workbench: Workbench, at: number): Promise<{ tasks: number; busy: number; took: number }> {
  const { page } = workbench;
  await workbench.putCursorAfter(`Write brief number ${at} `);
  await page.evaluate(() => {
    const tasks: number[] = [];
    const watch = new PerformanceObserver((list) => tasks.push(...list.getEntries().map((task) => task.duration)));
    // Node's types, which hide the browser's, do not know long tasks.
    watch.observe({ type: 'longtask' as 'mark' });
    Object.assign(globalThis, { tasks, watch });
  });
  const begin = performance.now();
  for (let key = 0; key < KEYS; key++) {
    await page.keyboard.press('x', { delay: PAUSE });
  }
  await page.locator('.view-line', { hasText: 'x'.repeat(KEYS) }).first().waitFor();
  const took = performance.now() - begin;
  const tasks = await page.evaluate(() => {
    const { tasks: seen, watch } = globalThis as unknown as { tasks: number[]; watch: { disconnect: () => void } };
    watch.disconnect();
    return seen;
  });
  return { tasks: tasks.length, busy: tasks.reduce((sum, task) => sum + task, 0), took };
}

/** Runs in the page: milliseconds from the next key until the number of underlines in view is no longer `now`. */
const WAIT = `(now) => new Promise((resolve) => {
  const count = () => document.querySelectorAll('.squiggly-error, .squiggly-warning').length;
  document.addEventListener('keydown', () => {
    const begin = performance.now();
    const look = () => {
      if (count() === now) return;
      watch.disconnect();
      resolve(performance.now() - begin);
    };
    const watch = new MutationObserver(look);
    watch.observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ['class'] });
  }, { once: true, capture: true });
})`;

/** Milliseconds from a key to its underline and from the key that removes the mistake to its end, several times. */
async function underlines(workbench: Workbench, at: number, times: number): Promise<{ shown: number[]; gone: number[] }> {
  const { page } = workbench;
  await workbench.putCursorAfter(`Write brief number ${at} `);
  await page.keyboard.press('Home');
  const value = page.locator('.view-line', { hasText: '"outcome": "tool_success"' }).first();
  await value.locator('span', { hasText: 'tool_success' }).last().dblclick();
  await page.keyboard.press('ArrowRight');
  const found = { shown: [] as number[], gone: [] as number[] };
  await workbench.until(async () => await workbench.findings().count() === 0);
  for (let time = 0; time < times; time++) {
    for (const [key, now, list] of [['x', 0, found.shown], ['Backspace', 1, found.gone]] as const) {
      const waited = page.evaluate<number>(`(${WAIT})(${now})`);
      await page.waitForTimeout(400);
      await page.keyboard.press(key);
      list.push(await waited);
    }
  }
  return found;
}

function median(numbers: readonly number[]): number {
  return Math.round([...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? NaN);
}

/** The turns of each window. */
const ROUNDS = 5;

describe('measures', { concurrency: 1 }, () => {
  for (const count of [10, 1000]) {
    const text = suite(count);

    it(`${count} cases`, async () => {
      const settings = { 'files.associations': { '*.json': 'json' } };
      const [first, second] = [await Window.start(), await Window.start()];
      const ours = new Workbench(await first.open({ files: { 'evals/cold.json': text, 'evals/warm.json': text } }), first.page);
      const json = new Workbench(await second.open({ files: { 'plain/cold-eval-set.json': text, 'plain/warm-eval-set.json': text }, settings }), second.page);
      const windows = [
        { name: 'eval-ls', workbench: ours, suffix: '.json', server: 'server/eval-ls lsp' },
        { name: 'built-in JSON', workbench: json, suffix: '-eval-set.json', server: 'jsonServerMain' },
      ];
      const load = (): string => `load ${fs.readFileSync('/proc/loadavg', 'utf8').split(' ')[0] ?? ''}`;
      const size = `${count} cases, ${Math.round(text.length / 1000)} kB`;
      try {
        for (const { name, workbench, suffix, server } of windows) {
          const [cold, warm] = [await opening(workbench, `cold${suffix}`), await opening(workbench, `warm${suffix}`)];
          console.log(`${size}, ${name}: first suite of a window ${Math.round(cold)} ms, second ${Math.round(warm)} ms, server ${memory(server)} MB; ${load()}`);
        }
        // The first turn is not counted. It is slow in the window that has it, whichever that is: the other window still reads
        // its files.
        for (let round = 0; round <= ROUNDS; round++) {
          for (const { name, workbench } of windows) {
            const { tasks, busy, took } = await typing(workbench, count / 2 - round);
            const turn = round === 0 ? 'not counted, ' : '';
            console.log(`${size}, ${name}: ${turn}${KEYS} keys in ${Math.round(took)} ms, ${tasks} long tasks of ${Math.round(busy)} ms; ${load()}`);
          }
          windows.reverse();
        }
        for (let round = 0; round < ROUNDS; round++) {
          for (const { name, workbench } of windows) {
            const { shown, gone } = await underlines(workbench, count / 2 - round, 10);
            console.log(`${size}, ${name}: key to underline ${median(shown)} ms, to its end ${median(gone)} ms (medians of 10); ${load()}`);
          }
        }
      } finally {
        await first.close();
        await second.close();
      }
    });
  }
});
