/** The answer of a case, with the places that decide its checks. */
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, keymap, placeholder, type DecorationSet } from "@codemirror/view";

export interface Mark {
  start: number;
  end: number;
  /** The classes of the place. */
  class: string;
}

const setMarks = StateEffect.define<readonly Mark[]>();

const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(old, transaction) {
    const effect = transaction.effects.find((one) => one.is(setMarks));
    if (!effect) return old.map(transaction.changes);
    const places = (effect.value as readonly Mark[]).filter(({ start, end }) => start < end && end <= transaction.state.doc.length);
    return Decoration.set(places.map((mark) => Decoration.mark({ class: mark.class }).range(mark.start, mark.end)), true);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Scrolls the editor alone to a place that the page asks for: on a phone, the page stays where it was clicked. */
export const scrollsAlone = EditorView.scrollHandler.of((view, { head }, { y, yMargin }) => {
  if (y === "nearest") return false;
  const margin = y === "center" ? view.scrollDOM.clientHeight / 2 : yMargin;
  view.scrollDOM.scrollTop = view.lineBlockAt(head).top - margin;
  return true;
});

export class AnswerEditor {
  private readonly view: EditorView;

  constructor(
    parent: HTMLElement,
    private readonly onEdit: (text: string) => void,
  ) {
    this.view = new EditorView({ parent, state: this.state("") });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  /** Shows another answer. */
  show(text: string): void {
    this.view.setState(this.state(text));
  }

  /** Replaces the first place of a text. */
  replace(find: string, insert: string): void {
    const from = this.text.indexOf(find);
    if (from >= 0) this.view.dispatch({ changes: { from, to: from + find.length, insert } });
  }

  mark(places: readonly Mark[]): void {
    this.view.dispatch({ effects: setMarks.of(places) });
  }

  scrollTo(offset: number): void {
    if (offset <= this.view.state.doc.length) this.view.dispatch({ effects: EditorView.scrollIntoView(offset, { y: "center" }) });
  }

  private state(doc: string): EditorState {
    return EditorState.create({
      doc,
      extensions: [
        marks,
        history(),
        keymap.of([...defaultKeymap, ...historyKeymap]),
        EditorView.lineWrapping,
        scrollsAlone,
        placeholder("No answer yet"),
        EditorView.contentAttributes.of({ "aria-label": "Answer of the selected case", tabindex: "0", spellcheck: "false" }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) this.onEdit(this.text);
        }),
      ],
    });
  }
}
