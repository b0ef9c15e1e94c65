/** The cases, the verdict of the selected one, and its checks with their proofs. */
import type { CaseProof, CheckProof } from "../../editors/web/src/index.ts";
import { byId, h, setText, sync } from "./dom.ts";
import { inline } from "./markdown.ts";
import type { Transcript } from "./workspace.ts";
import { badge, badgeClassOf, explain, sentenceOf, signOf, toneOfOutcome, verdictOf, type Tone } from "./words.ts";

export function showCases(cases: readonly CaseProof[], selected: number, onSelect: (index: number) => void): void {
  const make = (index: number) => {
    const button = h("button", { type: "button" }, h("span", { class: "case-id" }), badge());
    button.addEventListener("click", () => onSelect(index));
    return h("li", {}, button);
  };
  sync(byId("cases"), cases, make, (item, proof, index) => {
    const button = item.firstElementChild as HTMLElement;
    button.setAttribute("aria-current", String(index === selected));
    setText(button.querySelector(".case-id")!, proof.id);
    button.lastElementChild!.replaceWith(badge(proof));
  });
}

export function showCase(proof: CaseProof | undefined, transcript: Transcript | undefined): void {
  byId("case").hidden = proof === undefined;
  if (!proof) return;
  setText(byId("prompt"), [...proof.setupPrompts, proof.prompt].join(" → "));
  setText(byId("tools"), toolsOf(transcript));
  // The prompt of a case that cannot be read is not known.
  byId("stale").hidden = !proof.stale || proof.outdated;
  setText(byId("status"), `${proof.id}: ${verdictOf(proof)}`);
  byId("status").className = badgeClassOf(proof);
  setText(byId("sentence"), sentenceOf(proof));
  showPassed(proof);
}

/** The tools that an answer called, with a sign of how each ended. */
function toolsOf(transcript: Transcript | undefined): string {
  const events = (transcript?.telemetry ?? []) as { source?: unknown; event?: unknown; data?: { success?: unknown } | null }[];
  const tools = new Map<string, string>();
  for (const event of events) {
    const name = typeof event?.source === "string" && event.source.startsWith("tool.") ? event.source.slice("tool.".length) : null;
    if (name === null) continue;
    const success = event.data?.success;
    tools.set(name, success === true ? " ✓" : success === false ? " ✗" : (tools.get(name) ?? ""));
  }
  return tools.size > 0 ? [...tools].map(([name, sign]) => name + sign).join(", ") : "none";
}

function showPassed({ passedChallenges }: CaseProof): void {
  byId("passed").hidden = passedChallenges.length === 0;
  sync(byId("passed-list"), passedChallenges, () => h("li"), (item, { challenge }) => {
    item.replaceChildren(h("code", {}, challenge), ` ${explain(challenge)}`);
  });
}

export function showChecks(proof: CaseProof | undefined, open: string | null, onClick: (check: CheckProof) => void): void {
  const checks = (proof?.checks ?? []).toSorted((one, other) => rankOf(one) - rankOf(other));
  sync(byId("checks"), checks, makeCheck, (item, check) => updateCheck(item, check, proof!, check.id === open, onClick));
}

/** Failed checks come first. */
function rankOf({ outcome }: CheckProof): number {
  return outcome === "failed" ? 0 : outcome === "passed" ? 2 : 1;
}

function makeCheck(index: number): HTMLElement {
  const proof = `proof-${index}`;
  const texts = h("span", { class: "check-texts" }, h("span", { class: "check-id" }), h("span", { class: "check-message" }));
  const sign = h("span", { class: "sign", "aria-hidden": "true" });
  const button = h("button", { type: "button", "aria-controls": proof }, sign, texts, h("span", { class: "check-score" }));
  return h("li", {}, button, h("div", { class: "proof", id: proof }));
}

function updateCheck(item: HTMLElement, check: CheckProof, proof: CaseProof, open: boolean, onClick: (check: CheckProof) => void): void {
  const button = item.firstElementChild as HTMLButtonElement;
  const tone = toneOfOutcome(check.outcome);
  item.dataset["tone"] = tone;
  item.dataset["check"] = check.id;
  button.onclick = () => onClick(check);
  button.setAttribute("aria-expanded", String(open));
  const sign = button.querySelector(".sign")!;
  sign.className = `sign ${tone}`;
  setText(sign as HTMLElement, signOf(tone));
  setText(button.querySelector(".check-id")!, check.id);
  button.querySelector(".check-message")!.replaceChildren(...inline(check.message ?? "no answer to judge"));
  updateScore(button.querySelector(".check-score")!, check, proof);
  const body = item.lastElementChild as HTMLElement;
  body.hidden = !open;
  body.replaceChildren(...(open ? proofOf(check, proof) : []));
}

function updateScore(element: HTMLElement, check: CheckProof, { challenges }: CaseProof): void {
  const idle = challenges.length > 0 && check.notices.length === 0;
  element.className = !check.canFail || check.metByPrompt || idle ? "check-score weak" : "check-score";
  setText(element, scoreOf(check, challenges.length));
}

function scoreOf({ canFail, metByPrompt, notices }: CheckProof, tried: number): string {
  if (!canFail) return "cannot fail";
  if (metByPrompt) return "proves nothing";
  return tried > 0 ? `fails on ${notices.length} of ${tried} wrong answers` : "";
}

function proofOf(check: CheckProof, proof: CaseProof): HTMLElement[] {
  if (proof.challenges.length === 0) return [h("p", {}, "There is no proof while the case cannot be read.")];
  if (!check.canFail) return [h("p", {}, "No answer can fail this check, so it proves nothing.")];
  const parts: HTMLElement[] = [h("p", { class: "proof-sum" }, sumOf(check, proof))];
  if (check.metByPrompt) parts.push(h("p", { class: "proof-warning" }, "The prompt alone meets this check."));
  parts.push(wrongAnswersOf(check, proof));
  if (check.rewrites > 0) parts.push(rewritesOf(check, proof));
  if (check.fixes.length > 0) parts.push(fixesOf(check));
  return parts;
}

function sumOf(check: CheckProof, { challenges }: CaseProof): string {
  const noticed = `Fails on ${check.notices.length} of ${challenges.length} wrong answers`;
  return check.rewrites > 0 ? `${noticed} · survives ${check.rewrites - check.brittle.length} of ${check.rewrites} rewrites` : noticed;
}

function wrongAnswersOf({ notices }: CheckProof, { challenges }: CaseProof): HTMLElement {
  const title = "Wrong answers (✓: the check fails on it, as it ought to)";
  return namesOf(title, challenges, (name) => (notices.includes(name) ? "pass" : "none"), "fails on it", "passes on it");
}

function fixesOf({ fixes }: CheckProof): HTMLElement {
  const items = fixes.map((fix) => h("li", {}, ...inline(fix)));
  return h("div", {}, h("h4", {}, "Fixes"), h("ul", { class: "fixes" }, ...items));
}

/** A check ought to pass some of the rewrites of its case; their names are known if it ought to pass all. */
function rewritesOf(check: CheckProof, { rewrites }: CaseProof): HTMLElement {
  const title = "Rewrites of this answer (✓: the check passes on it, as it ought to)";
  const names = check.rewrites === rewrites.length ? rewrites : check.brittle;
  return namesOf(title, names, (name) => (check.brittle.includes(name) ? "fail" : "pass"), "passes on it", "fails on it");
}

function namesOf(title: string, names: readonly string[], toneOfName: (name: string) => Tone, yes: string, no: string): HTMLElement {
  const item = (name: string) => {
    const tone = toneOfName(name);
    const sign = h("span", { class: `sign ${tone}`, "aria-hidden": "true" }, signOf(tone));
    const spoken = h("span", { class: "unseen" }, `${tone === "pass" ? yes : no}: `);
    return h("li", {}, sign, spoken, h("code", {}, name), h("span", { class: "muted" }, explain(name)));
  };
  return h("div", {}, h("h4", {}, title), h("ul", { class: "names" }, ...names.map(item)));
}
