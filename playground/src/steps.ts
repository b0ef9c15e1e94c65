/** Three changes to the first example that show what an eval is worth. */
import { byId, h, setText, sync } from "./dom.ts";

export interface Step {
  title: string;
  /** What the button changes. */
  button: string;
  where: "suite" | "answer";
  find: string;
  replace: string;
  /** The check that shows what happened. */
  check: string | null;
  /** What to expect, and what happened. */
  before: string;
  after: string;
}

export const STEPS: readonly Step[] = [
  {
    title: "Change the answer",
    button: "Replace 12 by 11",
    where: "answer",
    find: "12 repairs",
    replace: "11 repairs",
    check: "synthesis:numeric:open repairs",
    before: "The assistant gets a number wrong.",
    after: "FAIL: the check names the number that it misses, and marks the one that it found.",
  },
  {
    title: "Change the expectation",
    button: "Ask for “ready” only",
    where: "suite",
    find: `"must_say_any": ["Ada's tandem"]`,
    replace: `"must_say_any": ["ready"]`,
    check: "must_say_any",
    before: "A check becomes weaker, but still passes.",
    after: "Still PASS, but the prompt has this word too. An answer that only repeats the question meets the check.",
  },
  {
    title: "Change the prompt",
    button: "Ask about another day",
    where: "suite",
    find: "which bike is ready today?",
    replace: "which bike is ready tomorrow?",
    check: null,
    before: "The question changes, the stored answer does not.",
    after: "Still PASS, but for the old question. The answer is stale: ask the assistant again.",
  },
];

export type StepState = "ready" | "done" | "gone";

export function stateOf(step: Step, text: string): StepState {
  if (text.includes(step.replace)) return "done";
  return text.includes(step.find) ? "ready" : "gone";
}

/** Shows the steps; `states` is `null` if they do not apply. */
export function showSteps(states: readonly StepState[] | null, onClick: (step: Step, state: StepState) => void): void {
  byId("steps").hidden = states === null;
  sync(byId("step-list"), states ?? [], (index) => stepOf(STEPS[index]!, onClick), (element, state, index) => update(element, STEPS[index]!, state));
}

function stepOf(step: Step, onClick: (step: Step, state: StepState) => void): HTMLElement {
  const button = h("button", { type: "button" });
  const element = h("li", {}, h("h3", {}, step.title), h("p", { "aria-live": "polite" }), button);
  button.addEventListener("click", () => onClick(step, element.dataset["state"] as StepState));
  return element;
}

function update(element: HTMLElement, step: Step, state: StepState): void {
  element.dataset["state"] = state;
  setText(element.querySelector("p")!, state === "done" ? step.after : step.before);
  const button = element.querySelector("button")!;
  setText(button, state === "done" ? "Undo" : step.button);
  button.setAttribute("aria-label", state === "done" ? `Undo: ${step.title}` : `${step.title}: ${step.button}`);
  button.disabled = state === "gone";
}
