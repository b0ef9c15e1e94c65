/** What the page shows: a suite, its configuration, and its answers. */

/** A stored answer; see "The file" in `docs/scoring.md`. */
export interface Transcript {
  response: string;
  prompt?: string;
  setup_prompts?: string[];
  telemetry?: unknown[];
  [key: string]: unknown;
}

export interface Workspace {
  name: string;
  /** The path of the suite. */
  path: string;
  suite: string;
  /** The text of `eval-ls.toml`. */
  config: string;
  transcripts: Record<string, Transcript>;
}

export const CONFIG = "eval-ls.toml";

/** A transcript as a file; `null` if there is no answer. */
export function fileOf(transcript: Transcript): string | null {
  return transcript.response === "" ? null : JSON.stringify(transcript);
}

/** A transcript with another response. The forms of a recorded page belong to the old one. */
export function withResponse(transcript: Transcript, response: string): Transcript {
  const { page: _page, part: _part, response_from: _from, ...rest } = transcript;
  return { ...rest, response };
}
