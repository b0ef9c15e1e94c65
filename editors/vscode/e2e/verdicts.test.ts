/** Verdicts on stored transcripts: in the file, after edits, on renamed cases, and on challenges. */

import assert from 'node:assert/strict';
import * as path from 'node:path';

import { Animation } from './support/animation';
import { SUITE, TRANSCRIPTS } from './support/files';
import { scenarios } from './support/scenario';
import { env } from './support/window';

const SIGNALS = `{
  "name": "signals",
  "version": "0.2.0",
  "cases": [
    {
      "id": "BRIEF1",
      "category": "brief",
      "prompt": "Add a section Signals.",
      "expected": { "must_match_regex": ["Signals"] }
    },
    {
      "id": "COUNT1",
      "category": "count",
      "prompt": "How many bikes?",
      "expected": { "must_ground_numbers": [{ "label": "bikes", "value": "17" }] }
    }
  ]
}
`;

const SIGNALS_TRANSCRIPT = `{
  "format": "eval-ls/transcript@1",
  "case": "COUNT1",
  "prompt": "How many bikes?",
  "response": "Good morning.\\nThere are 17 bikes."
}
`;

/** The transcripts of the small suite, for a suite with another path. */
const transcripts = (folder: string, suite: string): Record<string, string> =>
  Object.fromEntries(Object.entries(TRANSCRIPTS).map(([name, text]) => [`${folder}/${name.replace('week', suite)}`, text]));

const files = {
  'eval-ls.toml': '',
  'evals/week.json': SUITE,
  ...TRANSCRIPTS,
  'marks/evals/marks.json': SUITE.replace('"I do not know"', '"I do not know", "ten more", "no tube"'),
  ...transcripts('marks', 'marks'),
  'renaming/evals/rename.json': SUITE,
  ...transcripts('renaming', 'rename'),
  'signals/evals/signals.json': SIGNALS,
  'signals/evals/transcripts/signals/COUNT1.json': SIGNALS_TRANSCRIPT,
};

scenarios('verdicts', { files }, {
  'verdicts are in the Test Explorer and the status bar without a run': async (workbench) => {
    await workbench.openSuite('week.json');
    await workbench.status('1 failed, 1 passed').waitFor();
    await workbench.showTests();
    await workbench.expand('evals/week.json');
    await workbench.testItem('WEEK1', 'Passed').waitFor();
    await workbench.testItem('TUBES1', 'Failed').waitFor();
    await workbench.shot('verdict-seeded');
  },

  'verdicts appear on the failed phrase': async (workbench) => {
    await workbench.openSuite('week.json');
    await workbench.findings().first().waitFor();
    await workbench.putCursorAfter('fourteen tub');
    await workbench.hover(workbench.page.locator('.monaco-hover', { hasText: 'eval-ls verdict' }));
    await workbench.shot('verdict-failed');
    await workbench.page.keyboard.press('Escape');
    await workbench.offer('Pick from the answer: `There are 14 inner tubes`');
    await workbench.shot('verdict-pick');
    await workbench.page.keyboard.press('Escape');
  },

  'verdicts follow edits without another run': async (workbench) => {
    const film = new Animation();
    // The upper part of the editor.
    const frame = () => workbench.page.screenshot({ clip: { x: 348, y: 30, width: 760, height: 550 }, animations: 'disabled', caret: 'initial' });
    await workbench.putCursorAfter('fourteen');
    await workbench.lens(/FAIL/).first().waitFor();
    film.add(await frame(), 2500);
    await workbench.erase('fourteen');
    await workbench.page.keyboard.type('14 inner');
    await workbench.findings().first().waitFor({ state: 'detached' });
    await workbench.lens(/^Run · PASS/).nth(1).waitFor();
    await workbench.shot('verdict-passes');
    film.add(await frame(), 2500);

    // The same answer, and an expectation that it does not meet.
    await workbench.erase('inner');
    await workbench.page.keyboard.type('outer');
    await workbench.lens(/FAIL/).first().waitFor();
    await workbench.findings().first().waitFor();
    film.add(await frame(), 2500);
    film.write(path.join(env('E2E_SHOTS'), 'verdict-film.png'));
  },
}, {
  'each expectation can have a mark': async (workbench) => {
    workbench.workspace.settings({ 'eval-ls.verdicts': 'all' });
    await workbench.openSuite('marks.json');
    await workbench.line(/"response_only",\s*✓/).waitFor();
    await workbench.line(/\["orders"\],\s*✓/).waitFor();
    await workbench.line(/\["fourteen\stubes"\],\s*✗\snot\ssaid/).waitFor();
    // A mark within a list would read as if it were about the next entry.
    await workbench.line(/"no\stube"\]\s*✗\s"ten\smore"\sline\s2/).waitFor();
    await workbench.shot('verdict-all');
    workbench.workspace.settings({});
    await workbench.line('✓').waitFor({ state: 'detached' });
  },
}, {
  'moves the transcript of a renamed case, and undo moves it back': async (workbench) => {
    const { workspace } = workbench;
    await workbench.openSuite('rename.json');
    await workbench.status('pass').waitFor();
    await workbench.rename('"id": "WEEK', 'MONTH1');
    await workbench.until(() => workspace.exists('renaming/evals/transcripts/rename/MONTH1.json') && !workspace.exists('renaming/evals/transcripts/rename/WEEK1.json'));
    await workbench.until(() => workspace.read('renaming/evals/transcripts/rename/MONTH1.json').includes('"MONTH1"'));
    await workbench.press('Control+z', workbench.line('"id": "WEEK1"'));
    await workbench.until(() => workspace.exists('renaming/evals/transcripts/rename/WEEK1.json') && !workspace.exists('renaming/evals/transcripts/rename/MONTH1.json'));
    await workbench.until(() => workspace.read('renaming/evals/transcripts/rename/WEEK1.json').includes('"WEEK1"'));
    await workbench.shot('renaming-undone');
  },
}, {
  'challenges are quiet until somebody asks': async (workbench) => {
    await workbench.openSuite('signals.json');
    await workbench.lens(/PASS/).first().waitFor();
    assert.equal(await workbench.line(/passes/).count(), 0);
    await workbench.command('Eval: Challenge this suite');
    await workbench.preview().getByText('Challenges of signals.json').first().waitFor();
    await workbench.shot('challenge-page');
    await workbench.closeTab();
  },

  'challenges mark a check that the prompt alone meets': async (workbench) => {
    await workbench.line(/Signals.*passes\son\sthe\sprompt\salone/).waitFor();
    await workbench.line(/BRIEF1.*passes\s\d\schallenges/).waitFor();
    await workbench.shot('challenge-hints');
  },

  'challenges have a lens': async (workbench) => {
    await workbench.lens(/^Challenges: 1 of 2 cases pass/).waitFor();
    await workbench.shot('challenge-lens');
  },

  'challenges follow an edit': async (workbench) => {
    await workbench.putCursorAfter('["');
    await workbench.page.keyboard.type('^');
    await workbench.line(/passes\son\sthe\sprompt\salone/).waitFor({ state: 'detached' });
    await workbench.lens(/^Challenges: 0 of /).waitFor();
    await workbench.shot('challenge-fixed');
  },
});
