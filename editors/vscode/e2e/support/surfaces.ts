/** All that the window says about a case at one moment: every surface, read together. */

import { isDeepStrictEqual } from 'node:util';

import type { Workbench } from './workbench';

/** The words or the icon of each surface. */
export interface Surfaces {
  /** The first lens above the case. */
  lens: string;
  /** The state of the row in the Test Explorer. */
  row: string;
  /** The verdict before the description of the row; empty for one that passed. */
  mark: string;
  /** The icon beside the line of the id. */
  gutter: string;
  /** The number on the icon of the Test Explorer. */
  badge: string;
  /** The counts in the header of the Test Explorer. */
  counts: string;
  /** The status bar. */
  status: string;
  /** The messages about the case in the Problems view, the first words of each. */
  problems: string[];
}

/** Opens what is read: the Test Explorer with the suite, and the Problems view. */
export async function showAll(workbench: Workbench, suite: string): Promise<void> {
  // Nothing is read that is scrolled out of view.
  await workbench.page.setViewportSize({ width: 1280, height: 1150 });
  await workbench.showTests();
  await workbench.expand(suite);
  await workbench.command('Problems: Focus on Problems View');
  await workbench.page.locator('.markers-panel').waitFor();
}

/** Waits until all surfaces say what is expected of a case. Fails with each that does not, and the lines that the editor shows. */
export async function expectSurfaces(workbench: Workbench, id: string, expected: Surfaces): Promise<void> {
  let found: Surfaces | undefined;
  try {
    await workbench.until(async () => {
      found = await read(workbench, id, expected);
      if (isDeepStrictEqual(found, expected)) {
        return true;
      }
      await scrollToTop(workbench);
      return false;
    });
  } catch (error) {
    const wrong = (Object.keys(expected) as (keyof Surfaces)[]).filter((surface) => !isDeepStrictEqual(found?.[surface], expected[surface]));
    const differences = wrong.map((surface) => `${surface} is ${JSON.stringify(found?.[surface])}, not ${JSON.stringify(expected[surface])}`);
    const lines = await workbench.editor().locator('.view-line').allTextContents();
    throw new Error(`${id}: ${differences.join('; ')}\n${lines.length} lines in the editor:\n${lines.join('\n')}`, { cause: error });
  }
}

/** Shows the first lines again. Typing may have scrolled the line of a case out of view, and then nothing is read of it. */
async function scrollToTop(workbench: Workbench): Promise<void> {
  const box = await workbench.editor().boundingBox();
  if (box !== null) {
    await workbench.page.mouse.move(box.x + box.width / 2, box.y + box.height - 5);
    await workbench.page.mouse.wheel(0, -10_000);
  }
}

/** Runs in the page: reads the surfaces of a case. It is text, because compiled functions need helpers that the page lacks. */
const SCRIPT = String.raw`
(id) => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const text = (found) => (found?.textContent ?? '').replaceAll('\u00a0', ' ').trim();
  const editor = '.editor-group-container.active .monaco-editor';
  const line = all(editor + ' .view-line').find((each) => text(each).replace(/^\{ /, '').startsWith('"id": "' + id + '"'));
  const place = line?.getBoundingClientRect() ?? { top: -1, bottom: -1 };
  const middle = (place.top + place.bottom) / 2;
  const distance = (found) => middle - found.getBoundingClientRect().bottom;
  const lens = all(editor + ' .codelens-decoration').filter((each) => distance(each) > 0).sort((one, other) => distance(one) - distance(other))[0];
  const glyph = all(editor + ' .testing-run-glyph').find((each) => {
    const { top, bottom } = each.getBoundingClientRect();
    return top <= middle && middle <= bottom;
  });
  const row = all('.test-explorer .monaco-list-row').find((each) => text(each).startsWith(id));
  const action = all('.activitybar .action-item').find((each) => each.querySelector('.action-label[aria-label^="Testing"]') !== null);
  const badge = action?.querySelector('.badge');
  const isId = (each) => text(each).replace(/^\{ /, '').startsWith('"id": "');
  const top = (each) => each.getBoundingClientRect().top;
  const number = (of) => Number(text(all(editor + ' .line-numbers').find((each) => Math.abs(top(each) - top(of)) < 2)));
  const own = line ? number(line) : 0;
  const next = Math.min(...all(editor + ' .view-line').filter(isId).map(number).filter((each) => each > own));
  const file = text(document.querySelector('.editor-group-container.active .tab.active .label-name'));
  // The list has a row for each file, followed by its problems with their places.
  let shown = '';
  const messages = all('.markers-panel .monaco-list-row').map(text).filter((row) => {
    const at = /\[Ln (\d+), /.exec(row)?.[1];
    shown = at === undefined ? row : shown;
    return at !== undefined && shown.startsWith(file) && own <= Number(at) && Number(at) < next;
  });
  const icon = /testing-(\w+)-icon/.exec(glyph?.className ?? '')?.[1] ?? '';
  return {
    lens: text(lens).split(' | ')[0],
    row: (/\(([^)]*)\)/.exec(row?.getAttribute('aria-label') ?? '')?.[1] ?? '') + (row?.querySelector('.computed-state.retired') ? ', dimmed' : ''),
    // VS Code adds how long the case took.
    description: text(row).slice(id.length, text(row).length - text(row?.querySelector('.test-label-description')).length).replace(/^ · /, ''),
    gutter: icon,
    badge: badge === null || badge === undefined || badge.style.display === 'none' ? '' : text(badge),
    counts: text(document.querySelector('.test-explorer .result-summary > div:nth-of-type(3), .result-summary > div:nth-of-type(3)')),
    status: text(document.querySelector('.statusbar-item[id^="eval-ls"]')),
    messages,
  };
}`;

type Seen = Omit<Surfaces, 'mark' | 'problems'> & { description: string; messages: string[] };

async function read(workbench: Workbench, id: string, expected: Surfaces): Promise<Surfaces> {
  const found = await workbench.page.evaluate<Seen>(`(${SCRIPT})(${JSON.stringify(id)})`);
  const { description, messages, ...seen } = found;
  const mark = /^(?:PASS|PARTIAL|FAIL|ERROR)/.test(description) ? description : '';
  return {
    ...seen,
    mark: mark.startsWith(`${expected.mark} · `) ? expected.mark : mark,
    problems: messages.map((message, place) => message.slice(0, expected.problems[place]?.length ?? message.length)),
  };
}
