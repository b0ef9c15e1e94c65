/** The words and signs of verdicts, the same everywhere on the page. */
import type { CaseProof, CheckOutcome, CheckProof, Status } from "../../editors/web/src/index.ts";
import { h } from "./dom.ts";

export type Tone = "pass" | "fail" | "partial" | "error" | "none";

export function toneOf(status: Status | null): Tone {
  return status === null ? "none" : (status.toLowerCase() as Tone);
}

export function toneOfOutcome(outcome: CheckOutcome | null): Tone {
  if (outcome === null) return "none";
  return outcome === "passed" ? "pass" : outcome === "failed" ? "fail" : "partial";
}

export function signOf(tone: Tone): string {
  return { pass: "✓", fail: "✗", partial: "?", error: "!", none: "–" }[tone];
}

export function badge(status: Status | null, stale = false): HTMLElement {
  return h("span", { class: `badge ${toneOf(status)}${stale ? " stale" : ""}` }, (status ?? "no answer") + (stale ? " · stale" : ""));
}

/** The verdict in a sentence. */
export function sentenceOf({ status, reason, checks, stale }: CaseProof, old: boolean): string {
  if (status === null) return "Write an answer, and it is judged as you type.";
  const doubt = old ? "the prompt has changed since this answer" : stale ? "the case cannot be read now" : "";
  return [reason ?? countsOf(checks), doubt].filter(Boolean).join("; ") + ".";
}

function countsOf(checks: readonly CheckProof[]): string {
  const failed = checks.filter(({ outcome }) => outcome === "failed").length;
  const open = checks.filter(({ outcome }) => outcome === "unknown" || outcome === "not_judged").length;
  if (failed > 0) return `${failed} of ${checks.length} checks failed`;
  return open > 0 ? `${open} of ${checks.length} checks could not be judged` : `${checks.length} checks passed`;
}

/** What each wrong answer contains. The name of the other case follows a colon. */
const WRONG_ANSWERS = new Map(Object.entries({
  silence: "an empty answer",
  echo: "only the prompt",
  apology: "the prompt and “Sorry, something went wrong.”",
  refusal: "a refusal in everyday words",
  "page-before": "the page before the prompt was sent",
  "other-answer": "the answer of another case",
  "keyword-soup": "the words of the prompt and the names of the sources, sorted",
  stale: "this answer with every number changed",
  "wrong-tool:renamed": "this answer with every tool renamed",
  "wrong-tool:failed": "this answer with every tool result failed",
  "wrong-tool:none": "this answer without its tool calls",
  forbidden: "the prompt and everything that the case forbids",
}));

const REWRITES = new Map(Object.entries({
  "bold-numbers": "numbers in bold",
  "bold-labels": "labels of lines in bold",
  "curly-quotes": "curly quotes and long dashes",
  "no-break-spaces": "no-break spaces behind numbers",
  "wrapped-lines": "lines wrapped at 60 columns",
  bullets: "lines as entries of a list",
  "table-rows": "labelled lines as rows of a table",
  "labelled-lines": "rows of a table as labelled lines",
  thousands: "numbers with or without a thousands separator",
  "closing-line": "a line of politeness at the end",
  "other-order": "the entries of lists in the opposite order",
}));

export function explain(name: string): string {
  const [family = ""] = name.split(":");
  return WRONG_ANSWERS.get(name) ?? WRONG_ANSWERS.get(family) ?? REWRITES.get(name) ?? "";
}
