/**
 * What the server says beyond the protocol: the types of `docs/lsp-extensions.md`, word for word, and the names of
 * its methods. A test holds both together.
 */

export interface Position {
  line: number;
  character: number;
}

export interface Range {
  start: Position;
  end: Position;
}

export const methods = {
  tests: 'eval-ls/tests',
  run: 'eval-ls/run',
  stop: 'eval-ls/stop',
  verdicts: 'eval-ls/verdicts',
  transcript: 'eval-ls/transcript',
  result: 'eval-ls/result',
  trust: 'eval-ls/trust',
  testsChanged: 'eval-ls/testsChanged',
  verdictsChanged: 'eval-ls/verdictsChanged',
  runEvent: 'eval-ls/runEvent',
} as const;

export interface TestsParams { uri?: string }

export interface TestsResult { suites: TestSuite[] }

export interface TestSuite {
  uri: string;
  /** Its path from the workspace's folder. */
  label: string;
  /** What its text is; another text has another. */
  hash: string;
  cases?: TestCase[];
}

export interface TestCase {
  id: string;
  /** Its place among the suite's cases, from 0. */
  index: number;
  category: string;
  prompt: string;
  /** Of the id, quotes included. */
  range: Range;
  /** Of the whole case. */
  caseRange: Range;
  /** What its text is; results for another text are outdated. */
  hash: string;
}

export interface RunParams {
  suites: { uri: string; /** All cases where left out. */ cases?: string[] }[];
  /** Instead of the one that is chosen. */
  target?: string;
  /** Keep the transcripts. */
  record?: boolean;
}

export interface RunResult { run: number }

export interface StopParams { run?: number; uri?: string; case?: string }

export interface StopResult { stopped: number }

export interface VerdictsParams { uri: string }

export interface VerdictsResult {
  /** Of the document, where it is open. */
  version: number | null;
  /** The target that runs ask, and those that could be chosen. */
  target: string;
  targets: string[];
  summary: Summary;
  cases: CaseVerdict[];
}

export interface Summary { pass: number; partial: number; fail: number; error: number; notRun: number; running: number; total: number }

export interface CaseVerdict {
  id: string;
  range: Range;
  /** `null` where there is no transcript. */
  status: "PASS" | "PARTIAL" | "FAIL" | "ERROR" | null;
  running: boolean;
  /** The prompts have changed since. */
  stale: boolean;
  softScore: number | null;
  checks: number;
  failures: CheckFailure[];
  /** Why it could not be judged, where the status is `ERROR`. */
  reason: string | null;
}

export interface CheckFailure {
  /** The check's id, for instance `must_say_any:GitHub`. */
  check: string;
  message: string;
  /** Of the text that asked. */
  range: Range;
  /** What is lacking; `null` where something may not be there. */
  expected: string | null;
  /** What was found, else what comes nearest, else how the response begins. */
  actual: string | null;
}

export interface TextParams { uri: string; case: string; kept?: boolean }

export type TextResult = { text: string; /** Its file, where it is in one. */ uri: string | null } | null;

export interface TrustParams { trusted: boolean }

export interface TestsChangedParams { uris: string[] }

export interface VerdictsChangedParams { uris: string[] }

export type RunEvent =
  | { kind: "started"; run: number; target: string; live: boolean; items: { uri: string; case: string }[] }
  | { kind: "caseStarted"; run: number; uri: string; case: string }
  | { kind: "caseProgress"; run: number; uri: string; case: string; message: string }
  | { kind: "caseFinished"; run: number; uri: string; case: string;
      /** As in the run's results: bound to the text that ran. `CANCELLED` where it was stopped. */
      status: "PASS" | "PARTIAL" | "FAIL" | "ERROR" | "CANCELLED";
      softScore: number | null; durationMs: number;
      /** Of the case's text that ran. */
      hash: string;
      /** The answer, what was found, and where a picture of it is, for people. */
      output: string;
      reason: string | null;
      failures: CheckFailure[] }
  | { kind: "finished"; run: number; cancelled: boolean; /** Why it ended early. */ reason: string | null };
