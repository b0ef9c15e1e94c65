/** The extension for browsers: the analysis runs in a worker of the page, without a program. */

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';

import { SUITE, WITH_TYPO } from './support/files';
import { scenarios } from './support/scenario';

const transcript = (id: string, response: string): string => JSON.stringify({ format: 'eval-ls/transcript@1', case: id, response });

const WEEK1 = transcript('WEEK1', '## Week 12\n- orders: 23 open\n- calendar: 4 free slots');
const TUBES1 = transcript('TUBES1', 'There are 14 inner tubes.\nI would order ten more.');

const files = {
  // The answers are not in the default folder, so only the configuration leads to them.
  'eval-ls.toml': '[run]\ntranscripts = "answers"\n',
  'evals/week.json': SUITE,
  'evals/answers/week/WEEK1.json': WEEK1,
  'evals/answers/week/TUBES1.json': TUBES1,
  'evals/linked.json': SUITE,
  'evals/answers/linked/TUBES1.json': TUBES1,
  'evals/typo.json': WITH_TYPO,
  'evals/samples.json': SUITE,
  'evals/samples/samples/TUBES1/pass-short.md': 'Yes, 14.\n',
  'notes.json': '{ "cases": 1 }\n',
};

scenarios('browser', { files, edition: 'browser' }, {
  'a misspelt key is marked and explained': async (workbench) => {
    await workbench.openSuite('typo.json');
    await workbench.findings().first().waitFor();
    await workbench.putCursorAfter('must_sya');
    await workbench.offer('Explain');
    await workbench.press('ArrowDown', workbench.page.locator('.action-widget .monaco-list-row.focused', { hasText: 'Explain' }));
    await workbench.page.keyboard.press('Enter');
    await workbench.preview().locator('h1', { hasText: 'unknown-key' }).waitFor();
    await workbench.shot('browser-explain');
    await workbench.closeTab();
  },

  'the quick fix corrects it': async (workbench) => {
    await workbench.putCursorAfter('must_sya');
    await workbench.offer('must_say_any');
    await workbench.shot('browser-fix');
    await workbench.page.keyboard.press('Enter');
    await workbench.line('"must_say_any": ["orders"]').waitFor();
    await workbench.findings().first().waitFor({ state: 'detached' });
  },

  'keys are completed': async (workbench) => {
    await workbench.putCursorAfter('["^- calendar:"]');
    await workbench.page.keyboard.type(', "required_s');
    await workbench.suggestion('required_sources').waitFor();
    await workbench.shot('browser-completion');
  },
}, {
  'lenses have the verdicts on the stored transcripts': async (workbench) => {
    await workbench.openSuite('week.json');
    await workbench.lens(/PASS/).first().waitFor();
    await workbench.status('1 failed, 1 passed').waitFor();
    await workbench.lens(/^FAIL/).waitFor();
    await workbench.shot('browser-verdicts');
  },

  'a hover has the verdict': async (workbench) => {
    await workbench.putCursorAfter('fourteen tub');
    await workbench.hover(workbench.page.locator('.monaco-hover', { hasText: 'eval-ls verdict' }));
    await workbench.shot('browser-hover');
    await workbench.page.keyboard.press('Escape');
  },

  'an edit changes the verdict': async (workbench) => {
    await workbench.putCursorAfter('fourteen');
    await workbench.erase('fourteen');
    await workbench.page.keyboard.type('14 inner');
    await workbench.lens(/PASS/).nth(1).waitFor();
    await workbench.findings().first().waitFor({ state: 'detached' });
    await workbench.status('2 passed').waitFor();
  },

  'the transcript of a renamed case moves': async (workbench) => {
    const { workspace } = workbench;
    await workbench.rename('"id": "TUBES', 'HOSES1');
    await workbench.until(() => workspace.exists('evals/answers/week/HOSES1.json') && !workspace.exists('evals/answers/week/TUBES1.json'));
    await workbench.lens(/PASS/).nth(1).waitFor();
  },

  'a changed transcript changes the verdict': async (workbench) => {
    workbench.workspace.write('evals/answers/week/WEEK1.json', transcript('WEEK1', 'TODO'));
    await workbench.lens(/FAIL/).first().waitFor();
    workbench.workspace.remove('evals/answers/week/WEEK1.json');
    await workbench.status('1 passed, 1 not run').waitFor();
  },

  'a run needs the desktop': async (workbench) => {
    await workbench.runSuite();
    await workbench.notification('Running needs the desktop').waitFor();
    await workbench.shot('browser-run');
  },

  'a lens opens the result': async (workbench) => {
    await workbench.lens('Open').last().click();
    await workbench.preview().locator('h1', { hasText: 'HOSES1' }).waitFor();
    await workbench.preview().locator('code', { hasText: /^evals\/answers\/week\/HOSES1\.json$/ }).waitFor();
    await workbench.shot('browser-result');
    await workbench.closeTab();
  },

  'the challenges of a suite are a page': async (workbench) => {
    await workbench.command('Eval: Challenge this suite');
    await workbench.preview().locator('h1', { hasText: 'week.json' }).waitFor();
    await workbench.shot('browser-challenges');
    await workbench.closeTab();
  },
}, {
  'a link that leads out of the workspace is not followed': async (workbench) => {
    const { workspace } = workbench;
    workspace.write('../WEEK1.json', WEEK1);
    fs.symlinkSync('../../../../WEEK1.json', path.join(workspace.folder, 'evals/answers/linked/WEEK1.json'));
    assert.equal(workspace.read('evals/answers/linked/WEEK1.json'), WEEK1);
    await workbench.openSuite('linked.json');
    await workbench.status('1 failed, 1 not run').waitFor();
  },

  'the analysis can be restarted': async (workbench) => {
    await workbench.command('Eval: Restart server');
    await workbench.putCursorAfter('fourteen');
    await workbench.erase('fourteen');
    await workbench.page.keyboard.type('14 inner');
    await workbench.lens(/PASS/).first().waitFor();
  },
}, {
  'a sample without its verdict is a finding': async (workbench) => {
    await workbench.openSuite('samples.json');
    await workbench.findings().first().waitFor();
    await workbench.putCursorAfter('fourteen tub');
    await workbench.hover(workbench.page.locator('.monaco-hover', { hasText: 'failed-sample' }));
    await workbench.shot('browser-sample');
    await workbench.page.keyboard.press('Escape');
    workbench.workspace.write('evals/samples/samples/TUBES1/pass-short.md', 'There are fourteen tubes.\n');
    await workbench.findings().first().waitFor({ state: 'detached' });
  },
}, {
  'other JSON files are left alone': async (workbench) => {
    await workbench.openFile('notes.json');
    await workbench.waitForLanguage('JSON');
  },
});
