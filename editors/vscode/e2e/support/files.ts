/** The workspaces of the tests. */

/** A small suite without findings. Its first case passes on the transcript below unless a test changes it. */
export const SUITE = `{
  "name": "workshop",
  "version": "0.2.0",
  "cases": [
    {
      "id": "WEEK1",
      "category": "week",
      "prompt": "How does the week look?",
      "expected": {
        "outcome": "response_only",
        "must_say_any": ["orders"],
        "must_not_say": ["TODO"],
        "must_match_regex": ["^- calendar:"]
      }
    },
    {
      "id": "TUBES1",
      "category": "stock",
      "prompt": "Are there enough inner tubes?",
      "expected": {
        "must_say_any": ["fourteen tubes"],
        "must_not_say": ["I do not know"]
      }
    }
  ]
}
`;

/** A case that is PARTIAL on PARTS_ANSWER. */
export const PARTS_CASE = `    {
      "id": "PARTS1",
      "prompt": "Which parts are missing?",
      "expected": {
        "required_sources": ["stock"],
        "must_match_regex": ["^Stock", "^Advice"],
        "scoring": { "soft_score": { "threshold": 0.5, "weights": { "synthesis_coverage": 0.6, "formatting": 0.4 } } }
      }
    }`;

export const PARTS_ANSWER = JSON.stringify({
  format: 'eval-ls/transcript@1', case: 'PARTS1', prompt: 'Which parts are missing?', setup_prompts: [], response: 'Stock: a chain is missing.',
});

export const WITH_TYPO = SUITE.replace('"must_say_any": ["orders"]', '"must_sya_any": ["orders"]');

/** Transcripts for SUITE: the first case passes, the second fails on a phrase. */
export const TRANSCRIPTS = {
  'evals/transcripts/week/WEEK1.json': transcript('WEEK1', '## Week 12\n- orders: 23 open\n- calendar: 4 free slots'),
  'evals/transcripts/week/TUBES1.json': transcript('TUBES1', 'There are 14 inner tubes.\nI would order ten more.'),
};

function transcript(id: string, response: string): string {
  return JSON.stringify({ format: 'eval-ls/transcript@1', case: id, response }, null, 2);
}
