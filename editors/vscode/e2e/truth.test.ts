/** One state on every surface: lens, row, gutter, badge, status bar and Problems are read together after each change. */

import { WITH_CRASH } from './support/agents';
import { PARTS_ANSWER, PARTS_CASE, SUITE } from './support/files';
import { scenarios } from './support/scenario';
import { expectSurfaces, showAll, type Surfaces } from './support/surfaces';
import type { Workbench } from './support/workbench';

const PASSED = { lens: 'Run · PASS', row: 'Passed', mark: '', gutter: 'passed', problems: [] };
const FAILED = {
  lens: 'Run · FAIL 1 of 3 checks', row: 'Failed', mark: 'FAIL 1 of 3 checks', gutter: 'failed',
  problems: ['`fourteen tubes` is not said'],
};
const NOT_RUN = { lens: 'Run case', row: 'Not yet run', mark: '', gutter: 'run', problems: [] };

/** The totals of the suite. */
type Totals = Pick<Surfaces, 'badge' | 'counts' | 'status'>;

const ONE_FAILED: Totals = { badge: '1', counts: '1/2', status: '1 failed, 1 passed · replay' };

async function expectBoth(workbench: Workbench, totals: Totals, week: Omit<Surfaces, keyof Totals>, tubes: Omit<Surfaces, keyof Totals>): Promise<void> {
  await expectSurfaces(workbench, 'WEEK1', { ...week, ...totals });
  await expectSurfaces(workbench, 'TUBES1', { ...tubes, ...totals });
}

const TRANSCRIPTS = Object.fromEntries([
  ['WEEK1', 'How does the week look?', '- orders: 23 open\n- calendar: 4 free slots'],
  ['TUBES1', 'Are there enough inner tubes?', 'There are 14 inner tubes.'],
].map(([id, prompt, response]) => [`evals/transcripts/week/${id}.json`, JSON.stringify({ format: 'eval-ls/transcript@1', case: id, prompt, response })]));

scenarios('truth', { files: { 'evals/week.json': SUITE, ...TRANSCRIPTS } }, {
  'stored transcripts when a suite opens': async (workbench) => {
    await showAll(workbench, 'evals/week.json');
    await workbench.openSuite('week.json');
    await expectBoth(workbench, ONE_FAILED, PASSED, FAILED);
    await workbench.shot('truth-opened');
  },

  'an edit that fixes a case, and its undo': async (workbench) => {
    await workbench.putCursorAfter('fourteen');
    await workbench.erase('fourteen');
    await workbench.page.keyboard.type('inner');
    await workbench.page.keyboard.press('Escape');
    await expectBoth(workbench, { badge: '', counts: '2/2', status: '2 passed · replay' }, PASSED, PASSED);
    await workbench.shot('truth-fixed');
    await workbench.erase('inner');
    await workbench.page.keyboard.type('fourteen');
    await workbench.page.keyboard.press('Escape');
    await expectBoth(workbench, ONE_FAILED, PASSED, FAILED);
  },

  'an edit that changes nothing': async (workbench) => {
    await workbench.putCursorAfter('"category": "week"');
    await workbench.page.keyboard.type(' ');
    await expectBoth(workbench, ONE_FAILED, PASSED, FAILED);
    await workbench.erase(' ');
  },

  'another failure of a case that fails already': async (workbench) => {
    await workbench.putCursorAfter('"^- calendar');
    await workbench.page.keyboard.type('s');
    const week = { lens: 'Run · FAIL 1 of 4 checks', row: 'Failed', mark: 'FAIL 1 of 4 checks', gutter: 'failed', problems: ['no line matches'] };
    await expectBoth(workbench, { badge: '2', counts: '0/2', status: '2 failed · replay' }, week, FAILED);
    await workbench.shot('truth-two-failures');
    await workbench.erase('s');
    await expectBoth(workbench, ONE_FAILED, PASSED, FAILED);
  },

  'a deleted transcript, and the same written again': async (workbench) => {
    workbench.workspace.remove('evals/transcripts/week/TUBES1.json');
    await expectBoth(workbench, { badge: '', counts: '1/1', status: '1 passed, 1 not run · replay' }, PASSED, NOT_RUN);
    await workbench.shot('truth-deleted');
    workbench.workspace.write('evals/transcripts/week/TUBES1.json', TRANSCRIPTS['evals/transcripts/week/TUBES1.json'] ?? '');
    await expectBoth(workbench, ONE_FAILED, PASSED, FAILED);
  },

  'a second suite in the folder': async (workbench) => {
    workbench.workspace.write('evals/other.json', SUITE.replace('workshop', 'other'));
    await workbench.testItem('evals/week.json').waitFor({ state: 'detached' });
    await workbench.expand('evals');
    await workbench.expand('week.json');
    await expectBoth(workbench, ONE_FAILED, PASSED, FAILED);
    await workbench.shot('truth-second-suite');
    workbench.workspace.remove('evals/other.json');
    await workbench.expand('evals/week.json');
    await expectBoth(workbench, ONE_FAILED, PASSED, FAILED);
  },

  'a changed prompt, and the prompt as it was': async (workbench) => {
    await workbench.putCursorAfter('enough inner tubes');
    await workbench.page.keyboard.type(' now');
    const stale = {
      lens: 'Run · FAIL 1 of 3 checks · stale', row: 'Failed, dimmed', mark: 'FAIL 1 of 3 checks · stale', gutter: 'failed',
      problems: ['`fourteen tubes` is not said (stale'],
    };
    await expectBoth(workbench, { ...ONE_FAILED, status: '1 failed, 1 passed (1 stale) · replay' }, PASSED, stale);
    await workbench.shot('truth-stale');
    await workbench.erase(' now');
    await expectBoth(workbench, ONE_FAILED, PASSED, FAILED);
  },
});

const PARTS = `{
  "name": "parts",
  "version": "0.2.0",
  "cases": [
${PARTS_CASE}
  ]
}
`;

scenarios('truth-partial', { files: { 'evals/parts.json': PARTS, 'evals/transcripts/parts/PARTS1.json': PARTS_ANSWER } }, {
  'PARTIAL, also after a rename and its undo': async (workbench) => {
    await showAll(workbench, 'evals/parts.json');
    await workbench.openSuite('parts.json');
    const partial: Surfaces = {
      lens: 'Run · PARTIAL 0.8', row: 'Passed', mark: 'PARTIAL 0.8', gutter: 'passed', badge: '', counts: '1/1',
      status: '1 partial · replay', problems: ['no line matches'],
    };
    await expectSurfaces(workbench, 'PARTS1', partial);
    await workbench.shot('truth-partial');
    await workbench.rename('"id": "PARTS', 'STOCK1');
    // VS Code saves the file, and loses an undo meanwhile.
    await workbench.until(() => workbench.workspace.read('evals/parts.json').includes('STOCK1'));
    await expectSurfaces(workbench, 'STOCK1', partial);
    await workbench.press('Control+z', workbench.line('"id": "PARTS1"'));
    await expectSurfaces(workbench, 'PARTS1', partial);
    await workbench.shot('truth-partial-undone');
  },
}, {
  'PARTIAL is on every surface': async (workbench) => {
    await workbench.openSuite('parts.json');
    await workbench.status('1 partial').waitFor();
    await workbench.lens(/PARTIAL 0\.8/).waitFor();
    await workbench.lens(/^Run · PARTIAL 0\.8$/).waitFor();
    await workbench.showTests();
    await workbench.expand('evals/parts.json');
    await workbench.testItem('PARTS1', 'Passed').filter({ hasText: 'PARTIAL 0.8' }).waitFor();
    await workbench.shot('state-partial');
  },

  'a changed prompt makes the verdict stale on every surface, until the prompt is as before': async (workbench) => {
    await workbench.putCursorAfter('Which parts');
    await workbench.page.keyboard.type(' now');
    await workbench.lens(/PARTIAL.*stale/).waitFor();
    await workbench.lens(/^Run · PARTIAL 0\.8 · stale$/).waitFor();
    await workbench.lens('Run suite (1) · 1 partial (1 stale)').waitFor();
    await workbench.status('1 partial (1 stale)').waitFor();
    await workbench.shot('state-stale');
    await workbench.erase(' now');
    await workbench.lens(/^Run · PARTIAL 0\.8$/).waitFor();
    await workbench.testItem('PARTS1', 'Passed').filter({ hasText: 'PARTIAL 0.8' }).waitFor();
    await workbench.status(/1 partial · replay/).waitFor();
  },
});

const ANSWERED: Totals = { badge: '1', counts: '1/2', status: '1 failed, 1 passed · assistant' };

scenarios('truth-runs', { files: { 'evals/week.json': SUITE, ...WITH_CRASH } }, {
  'answers of a run': async (workbench) => {
    await showAll(workbench, 'evals/week.json');
    await workbench.openSuite('week.json');
    await expectBoth(workbench, { badge: '', counts: '', status: '2 not run · assistant' }, NOT_RUN, NOT_RUN);
    await workbench.runSuite();
    await workbench.allow('assistant.py');
    await expectBoth(workbench, ANSWERED, PASSED, FAILED);
  },

  'a run of one case leaves the totals': async (workbench) => {
    await workbench.putCursorAfter('"id": "WEEK');
    await workbench.runCase();
    // Two runs, and the link to the last one.
    await workbench.until(() => workbench.workspace.count('results/runs') === 3);
    await expectBoth(workbench, ANSWERED, PASSED, FAILED);
    await workbench.shot('truth-one-case');
  },

  'a rename, and its undo': async (workbench) => {
    await workbench.rename('"id": "TUBES', 'TYRES1');
    // VS Code saves the file, and loses an undo meanwhile.
    await workbench.until(() => workbench.workspace.read('evals/week.json').includes('TYRES1'));
    // The kept run knows it by its former id.
    const totals = { ...ANSWERED, status: '1 passed, 1 not run · assistant' };
    const fresh = { lens: 'Run case', row: 'Not yet run', mark: '', gutter: 'run', problems: [] };
    await expectSurfaces(workbench, 'TYRES1', { ...fresh, ...totals });
    await expectSurfaces(workbench, 'WEEK1', { ...PASSED, ...totals });
    await workbench.shot('truth-renamed');
    await workbench.press('Control+z', workbench.line('"id": "TUBES1"'));
    await expectBoth(workbench, ANSWERED, PASSED, FAILED);
  },

  'a crash after answers': async (workbench) => {
    await workbench.choose('Eval: Choose target', 'broken');
    await workbench.status('1 failed, 1 passed by assistant · next: broken').waitFor();
    await workbench.runSuite();
    await workbench.allow('crash.py');
    const label = 'ERROR last run failed: RuntimeError: the model backend said 503';
    const crashed = { row: 'Errored', mark: label, gutter: 'error', problems: ['last run failed: RuntimeError: the model backend said 503 ('] };
    const totals = { badge: '2', counts: '0/2', status: '2 errors · broken · last run failed: RuntimeError: the model backend said 503' };
    // The checks of the earlier answer still have their findings.
    const both = async (): Promise<void> => expectBoth(
      workbench, totals, { ...crashed, lens: `Run · ${label}` },
      { ...crashed, lens: `Run · ${label}`, problems: [...crashed.problems, '`fourteen tubes` is not said'] });
    await both();
    await workbench.shot('truth-crashed');
    await workbench.reload();
    await showAll(workbench, 'evals/week.json');
    await workbench.openSuite('week.json');
    await both();
    await workbench.shot('truth-reloaded');
  },
});

scenarios('truth-first', { files: { 'evals/week.json': SUITE, 'eval-ls.toml': '' } }, {
  'the first replay without transcripts': async (workbench) => {
    await showAll(workbench, 'evals/week.json');
    await workbench.openSuite('week.json');
    await workbench.runSuite();
    const missing = { lens: 'Run · ERROR no stored answer', row: 'Errored', mark: 'ERROR no stored answer', gutter: 'error', problems: ['no stored answer; `eval-ls record`'] };
    await expectBoth(workbench, { badge: '2', counts: '0/2', status: '2 errors · replay · no stored answer' }, missing, missing);
    await workbench.shot('truth-first');
  },

  'a lens leads to a target': async (workbench) => {
    await workbench.lens('Choose target').first().click();
    await workbench.quickPick('Add target').waitFor();
    await workbench.shot('truth-first-target');
    await workbench.pick('Add target');
    await workbench.pick('Python program');
    await workbench.page.locator('.tab', { hasText: 'agent.py' }).waitFor();
    await workbench.openSuite('week.json');
    await workbench.status('2 errors by replay · next: agent').waitFor();
    await workbench.runSuite();
    await workbench.allow('agent.py');
    await workbench.status('2 failed · agent').waitFor();
    await workbench.lens(/^Run · FAIL/).nth(1).waitFor();
    await workbench.lensesWithout(/^Run · ERROR/);
    await workbench.shot('truth-first-answered');
  },
});
