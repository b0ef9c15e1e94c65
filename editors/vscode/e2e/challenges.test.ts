/** Challenges: hints while typing, a fix, the page, the lens, and the checks in a transcript. */

import assert from 'node:assert/strict';

import { TRANSCRIPTS } from './support/files';
import { scenarios } from './support/scenario';

const SUITE = `{
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

const TRANSCRIPT = `{
  "format": "eval-ls/transcript@1",
  "case": "COUNT1",
  "prompt": "How many bikes?",
  "response": "Good morning.\\nThere are 17 bikes."
}
`;

scenarios('challenges', {
  files: { ...TRANSCRIPTS, 'evals/signals.json': SUITE, 'evals/transcripts/signals/COUNT1.json': TRANSCRIPT },
}, {
  'are quiet until somebody asks': async (workbench) => {
    await workbench.openSuite('signals.json');
    await workbench.line(/COUNT1.*PASS/).waitFor();
    assert.equal(await workbench.line(/passes/).count(), 0);
    await workbench.command('Eval: Challenge this suite');
    await workbench.preview().getByText('Challenges of signals.json').first().waitFor();
    await workbench.shot('challenge-page');
    await workbench.page.locator('.tab[aria-label^="Preview"] .codicon-close').first().click();
  },

  'mark a check that the prompt alone meets': async (workbench) => {
    await workbench.line(/Signals.*passes\son\sthe\sprompt\salone/).waitFor();
    await workbench.line(/BRIEF1.*passes\s\d\schallenges/).waitFor();
    await workbench.shot('challenge-hints');
  },

  'have a lens': async (workbench) => {
    await workbench.lens(/^Challenges: 1 of 2 cases pass/).waitFor();
    await workbench.shot('challenge-lens');
  },

  'follow an edit': async (workbench) => {
    await workbench.putCursorAfter('["');
    await workbench.page.keyboard.type('^');
    await workbench.line(/passes\son\sthe\sprompt\salone/).waitFor({ state: 'detached' });
    await workbench.lens(/^Challenges: none passes/).waitFor();
    await workbench.shot('challenge-fixed');
  },

  'name the checks that depend on a line of a transcript': async (workbench) => {
    await workbench.openFile('COUNT1.json');
    await workbench.line(/17\sbikes\..*synthesis:nume/).waitFor();
    await workbench.shot('challenge-coverage');
  },
});
