/** The words and signs of verdicts, the same everywhere on the page. */
import type { CaseProof, CheckOutcome, CheckProof, Status } from "../../editors/web/src/index.ts";
import { h } from "./dom.ts";

export type Tone = "pass" | "fail" | "partial" | "error" | "none";

function toneOf(status: Status | null): Tone {
  return status === null ? "none" : (status.toLowerCase() as Tone);
}

export function toneOfOutcome(outcome: CheckOutcome | null): Tone {
  if (outcome === null) return "none";
  return outcome === "passed" ? "pass" : outcome === "failed" ? "fail" : "partial";
}

export function signOf(tone: Tone): string {
  return { pass: "✓", fail: "✗", partial: "?", error: "!", none: "–" }[tone];
}

export function badge(proof?: CaseProof): HTMLElement {
  return h("span", { class: badgeClassOf(proof) }, proof ? verdictOf(proof) : "");
}

export function badgeClassOf(proof?: CaseProof): string {
  return `badge ${toneOf(proof?.status ?? null)}${proof && isDoubtful(proof) ? " stale" : ""}`;
}

/** The verdict in two words. */
export function verdictOf(proof: CaseProof): string {
  const none = proof.reason === null ? "no answer" : "not judged";
  return (proof.status ?? none) + (isDoubtful(proof) ? " · stale" : "");
}

/** Whether the verdict is on another text of the case. */
function isDoubtful({ stale, outdated }: CaseProof): boolean {
  return stale || outdated;
}

/** The verdict in a sentence. */
export function sentenceOf({ status, reason, checks, stale, outdated }: CaseProof): string {
  if (status === null) return sentence(reason ?? "write an answer, and it is judged as you type");
  if (outdated) return "The case cannot be read now. This is the verdict on its last text that could be read.";
  return sentence((reason ?? countsOf(checks)) + (stale ? "; the prompt has changed since this answer" : ""));
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function countsOf(checks: readonly CheckProof[]): string {
  const failed = checks.filter(({ outcome }) => outcome === "failed").length;
  const open = checks.filter(({ outcome }) => outcome !== "failed" && outcome !== "passed").length;
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
  "wrong-tool:succeeded": "this answer with every tool result a success",
  "wrong-tool:none": "this answer without its tool calls",
  "other-words": "the tool calls of this answer with other words",
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
