/** Verdicts in the file: on stored transcripts, and after edits. */

import * as path from 'node:path';

import { Animation } from './support/animation';
import { env } from './support/codeServer';
import { PARTS_ANSWER, PARTS_CASE, SUITE, TRANSCRIPTS } from './support/files';
import { scenarios } from './support/scenario';

scenarios('verdicts', { files: { 'evals/week.json': SUITE, ...TRANSCRIPTS } }, {
  'are in the Test Explorer and the status bar without a run': async (workbench) => {
    await workbench.openSuite('week.json');
    await workbench.status('1 fail, 1 pass').waitFor();
    await workbench.showTests();
    await workbench.expand('evals/week.json');
    await workbench.testItem('WEEK1', 'Passed').waitFor();
    await workbench.testItem('TUBES1', 'Failed').waitFor();
    await workbench.shot('verdict-seeded');
  },

  'appear on the failed phrase': async (workbench) => {
    await workbench.openSuite('week.json');
    await workbench.findings().first().waitFor();
    await workbench.putCursorAfter('fourteen tub');
    await workbench.hover(workbench.page.locator('.monaco-hover', { hasText: 'eval-ls verdict' }));
    await workbench.shot('verdict-failed');
    await workbench.page.keyboard.press('Escape');
  },

  'follow edits without another run': async (workbench) => {
    const film = new Animation();
    await workbench.putCursorAfter('fourteen');
    await workbench.line(/TUBES1.*FAIL/).waitFor();
    film.add(await workbench.frame(), 2500);
    await workbench.erase('fourteen');
    await workbench.page.keyboard.type('14 inner');
    await workbench.findings().first().waitFor({ state: 'detached' });
    await workbench.line(/TUBES1.*PASS/).waitFor();
    await workbench.lens(/^Run again · PASS/).nth(1).waitFor();
    await workbench.shot('verdict-passes');
    film.add(await workbench.frame(), 2500);

    // The same answer, and an expectation that it does not meet.
    await workbench.erase('inner');
    await workbench.page.keyboard.type('outer');
    await workbench.line(/TUBES1.*FAIL/).waitFor();
    await workbench.findings().first().waitFor();
    await workbench.lens(/^Run again · FAIL/).waitFor();
    film.add(await workbench.frame(), 2500);
    film.write(path.join(env('E2E_SHOTS'), 'verdict-film.png'));
  },
});

scenarios('all-verdicts', { files: { 'evals/week.json': SUITE.replace('"I do not know"', '"I do not know", "ten more", "no tube"'), ...TRANSCRIPTS }, settings: { 'eval-ls.verdicts': 'all' } }, {
  'each expectation has a mark': async (workbench) => {
    await workbench.openSuite('week.json');
    await workbench.line(/"response_only",\s*✓/).waitFor();
    await workbench.line(/\["orders"\],\s*✓/).waitFor();
    await workbench.line(/\["fourteen\stubes"\],\s*✗\snot\ssaid/).waitFor();
    // A mark within a list would read as if it were about the next entry.
    await workbench.line(/"no\stube"\]\s*✗\s"ten\smore"\sline\s2/).waitFor();
    await workbench.shot('verdict-all');
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

scenarios('states', { files: { 'evals/parts.json': PARTS, 'evals/transcripts/parts/PARTS1.json': PARTS_ANSWER } }, {
  'PARTIAL is on every surface': async (workbench) => {
    await workbench.openSuite('parts.json');
    await workbench.status('1 partial').waitFor();
    await workbench.line(/PARTS1.*PARTIAL\s0\.8/).waitFor();
    await workbench.lens(/^Run again · PARTIAL$/).waitFor();
    await workbench.showTests();
    await workbench.expand('evals/parts.json');
    await workbench.testItem('PARTS1', 'Passed').filter({ hasText: 'PARTIAL 0.8' }).waitFor();
    await workbench.shot('state-partial');
  },

  'a changed prompt makes the verdict stale on every surface, until the prompt is as before': async (workbench) => {
    await workbench.putCursorAfter('Which parts');
    await workbench.page.keyboard.type(' now');
    await workbench.line(/PARTS1.*PARTIAL.*stale/).waitFor();
    await workbench.lens(/^Run again · PARTIAL · stale$/).waitFor();
    await workbench.lens('Run suite (1) · 1 partial (1 stale)').waitFor();
    await workbench.status('1 partial (1 stale)').waitFor();
    await workbench.shot('state-stale');
    await workbench.erase(' now');
    await workbench.lens(/^Run again · PARTIAL$/).waitFor();
    await workbench.testItem('PARTS1', 'Passed').filter({ hasText: 'PARTIAL 0.8' }).waitFor();
    await workbench.status(/1 partial · replay/).waitFor();
  },
});
