/**
 * The verdicts in the suite: a badge behind each case, a sign beside each check, a mark on the open check, and a note behind
 * a check that proves nothing.
 */
import { RangeSet, StateEffect, StateField, type EditorState, type Extension, type Range } from "@codemirror/state";
import { Decoration, EditorView, GutterMarker, WidgetType, gutter, type DecorationSet } from "@codemirror/view";
import type { CaseProof, CheckProof } from "../../editors/web/src/index.ts";
import { offsetOf, spanOf } from "./lsp.ts";
import { badge, signOf, verdictOf, type Tone } from "./words.ts";

interface Marks {
  decorations: DecorationSet;
  signs: RangeSet<GutterMarker>;
}

export interface Shown {
  cases: readonly CaseProof[];
  /** The case whose lines stand out; `-1` for none. */
  selected: number;
  open: CheckProof | undefined;
}

const show = StateEffect.define<Shown>();

const marks = StateField.define<Marks>({
  create: () => ({ decorations: Decoration.none, signs: RangeSet.empty }),
  update({ decorations, signs }, transaction) {
    for (const effect of transaction.effects) if (effect.is(show)) return marksOf(transaction.state, effect.value);
    return { decorations: decorations.map(transaction.changes), signs: signs.map(transaction.changes) };
  },
  provide: (field) => EditorView.decorations.from(field, (value) => value.decorations),
});

export const verdictMarks: Extension = [marks, gutter({ class: "cm-signs", markers: (view) => view.state.field(marks).signs })];

export function showVerdicts(view: EditorView, shown: Shown): void {
  view.dispatch({ effects: show.of(shown) });
}

function marksOf(state: EditorState, { cases, selected, open }: Shown): Marks {
  const chosen = cases[selected];
  const ofCases = cases.flatMap((proof) => caseMarks(state, proof));
  const decorations = [...ofCases, ...(chosen ? linesOf(state, chosen) : []), ...openMark(state, open)];
  const tones = new Map<number, Tone>();
  for (const check of cases.flatMap(({ checks }) => checks)) addTone(tones, state, check);
  const signs = [...tones].map(([from, tone]) => new Sign(tone).range(from));
  return { decorations: Decoration.set(decorations, true), signs: RangeSet.of(signs, true) };
}

function openMark(state: EditorState, open: CheckProof | undefined): Range<Decoration>[] {
  if (!open) return [];
  const { from, to } = spanOf(state.doc, open.range);
  return from < to ? [Decoration.mark({ class: "cm-openCheck" }).range(from, to)] : [];
}

function caseMarks(state: EditorState, proof: CaseProof): Range<Decoration>[] {
  const { range, checks } = proof;
  const notes = checks.filter((check) => check.metByPrompt && check.canFail);
  return [
    behind(state, offsetOf(state.doc, range.start), new Note(() => badge(proof), verdictOf(proof))),
    ...notes.map((check) => behind(state, offsetOf(state.doc, check.range.end), noteOf("passes on the prompt alone"))),
  ];
}

function linesOf(state: EditorState, { range }: CaseProof): Range<Decoration>[] {
  const first = state.doc.lineAt(offsetOf(state.doc, range.start)).number;
  const last = state.doc.lineAt(offsetOf(state.doc, range.end)).number;
  return Array.from({ length: last - first + 1 }, (_, at) => Decoration.line({ class: "cm-selectedCase" }).range(state.doc.line(first + at).from));
}

/** One sign for a line: the worst outcome. */
function addTone(tones: Map<number, Tone>, state: EditorState, { range, outcome, canFail }: CheckProof): void {
  if (outcome === null || !canFail) return;
  const line = state.doc.lineAt(offsetOf(state.doc, range.start)).from;
  const tone = outcome === "passed" ? "pass" : outcome === "failed" ? "fail" : "partial";
  const order: Tone[] = ["pass", "partial", "fail"];
  if (order.indexOf(tone) > order.indexOf(tones.get(line) ?? "none")) tones.set(line, tone);
}

function behind(state: EditorState, offset: number, widget: WidgetType): Range<Decoration> {
  return Decoration.widget({ widget, side: 1 }).range(state.doc.lineAt(offset).to);
}

function noteOf(text: string): Note {
  return new Note(() => {
    const note = document.createElement("span");
    note.className = "cm-note";
    note.textContent = text;
    return note;
  }, text);
}

class Note extends WidgetType {
  constructor(
    private readonly make: () => HTMLElement,
    private readonly key: string,
  ) {
    super();
  }

  override eq(other: Note): boolean {
    return other.key === this.key;
  }

  toDOM(): HTMLElement {
    return this.make();
  }
}

class Sign extends GutterMarker {
  constructor(private readonly tone: Tone) {
    super();
  }

  override eq(other: Sign): boolean {
    return other.tone === this.tone;
  }

  override toDOM(): HTMLElement {
    const sign = document.createElement("span");
    sign.className = `sign ${this.tone}`;
    sign.textContent = signOf(this.tone);
    return sign;
  }
}
