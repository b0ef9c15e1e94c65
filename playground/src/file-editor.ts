/** An editor of a file that the language server has open once it runs. */
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  snippet,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, syntaxHighlighting } from "@codemirror/language";
import { lintKeymap, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView, hoverTooltip, keymap, lineNumbers, type Tooltip, type ViewUpdate } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import type { Diagnostic, EvalLs, Range, TextEdit } from "../../editors/web/src/index.ts";
import { scrollsAlone } from "./answer-editor.ts";
import { changesOf, editOf, editsOf, offsetOf, positionAt, snippetOf, spanOf, textOf, type CompletionItem } from "./lsp.ts";
import { markdown } from "./markdown.ts";
import { verdictMarks } from "./verdict-marks.ts";

/** A finding with the titles of its fixes. */
export interface Finding extends Diagnostic {
  fixes: string[];
}

export interface FileOptions {
  /** The server; none before it runs. */
  server(): EvalLs | undefined;
  path: string;
  text: string;
  parent: HTMLElement;
  label: string;
  onEdit(text: string): void;
  onCursor(offset: number): void;
  onFix(finding: Finding, title: string): void;
}

export class FileEditor {
  readonly view: EditorView;

  constructor(private readonly options: FileOptions) {
    this.view = new EditorView({ parent: options.parent, state: EditorState.create({ doc: options.text, extensions: this.extensions() }) });
  }

  open(): void {
    this.options.server()?.open(this.path, this.text);
  }

  get path(): string {
    return this.options.path;
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  close(): void {
    this.options.server()?.close(this.path);
    this.view.destroy();
  }

  apply(edits: readonly TextEdit[]): void {
    this.view.dispatch({ changes: editsOf(this.view.state.doc, edits), userEvent: "input.fix" });
  }

  /** Replaces the first place of a text. */
  replace(find: string, insert: string): void {
    const from = this.text.indexOf(find);
    if (from >= 0) this.view.dispatch({ changes: { from, to: from + find.length, insert }, userEvent: "input.step" });
  }

  /** Selects a range and scrolls to it. */
  select(range: Range): void {
    const { from, to } = spanOf(this.view.state.doc, range);
    this.view.dispatch({ selection: { anchor: from, head: to }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
  }

  moveTo(range: Range): void {
    const from = offsetOf(this.view.state.doc, range.start);
    this.view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "start", yMargin: 24 }) });
  }

  showFindings(findings: readonly Finding[]): void {
    const { state } = this.view;
    const severity = ["error", "error", "warning", "info", "hint"] as const;
    const shown = findings.map((finding) => ({
      ...spanOf(state.doc, finding.range),
      severity: severity[finding.severity ?? 1] ?? "error",
      message: textOf(finding.message).replaceAll("`", ""),
      source: String(finding.code ?? ""),
      actions: finding.fixes.slice(0, 3).map((title) => ({ name: title.replaceAll("`", ""), apply: () => this.options.onFix(finding, title) })),
    }));
    this.view.dispatch(setDiagnostics(state, shown.sort((one, other) => one.from - other.from)));
  }

  private extensions() {
    return [
      lineNumbers(),
      verdictMarks,
      history(),
      this.path.endsWith(".json") ? json() : [],
      syntaxHighlighting(classHighlighter),
      bracketMatching(),
      closeBrackets(),
      autocompletion({ override: [(context) => this.complete(context)], icons: false }),
      hoverTooltip((view, offset) => this.hover(view, offset)),
      keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap]),
      EditorView.lineWrapping,
      scrollsAlone,
      EditorState.tabSize.of(2),
      EditorView.contentAttributes.of({ "aria-label": this.options.label, tabindex: "0" }),
      EditorView.updateListener.of((update) => this.updated(update)),
    ];
  }

  private updated(update: ViewUpdate): void {
    if (update.docChanged) {
      this.options.server()?.edit(this.path, changesOf(update.changes, update.startState.doc));
      this.options.onEdit(this.text);
    }
    if (update.selectionSet) this.options.onCursor(update.state.selection.main.head);
  }

  private async complete(context: CompletionContext): Promise<CompletionResult | null> {
    const { state, pos } = context;
    if (!context.explicit && !/["\w$-]/.test(state.sliceDoc(pos - 1, pos))) return null;
    const list = await this.options.server()?.completion(this.path, positionAt(state.doc, pos));
    const items = list?.items ?? [];
    if (items.length === 0 || context.aborted) return null;
    return { from: context.matchBefore(/[\w.-]+/)?.from ?? pos, options: items.map((item, index) => this.option(item, index, state, pos)) };
  }

  private option(item: CompletionItem, index: number, state: EditorState, pos: number): Completion {
    const edit = editOf(item) ?? { range: { start: positionAt(state.doc, pos), end: positionAt(state.doc, pos) }, text: item.label };
    const { from, to } = spanOf(state.doc, edit.range);
    const documentation = textOf(item.documentation);
    return {
      label: item.label,
      ...(item.detail ? { detail: item.detail } : {}),
      ...(documentation ? { info: () => markdown(documentation) } : {}),
      sortText: item.sortText ?? "",
      boost: -Math.min(index, 99),
      apply: (view, completion, _from, end) => {
        const last = Math.max(to, to + end - pos);
        const template = item.insertTextFormat === 2 ? snippetOf(edit.text) : null;
        if (template !== null) snippet(template)(view, completion, from, last);
        else view.dispatch({ changes: { from, to: last, insert: edit.text }, selection: { anchor: from + edit.text.length } });
      },
    };
  }

  private async hover(view: EditorView, offset: number): Promise<Tooltip | null> {
    const { doc } = view.state;
    const hover = await this.options.server()?.hover(this.path, positionAt(doc, offset));
    if (!hover || view.state.doc !== doc) return null;
    const { from, to } = hover.range ? spanOf(doc, hover.range) : { from: offset, to: offset };
    return { pos: from, end: to, above: true, create: () => ({ dom: markdown(textOf(hover.contents)) }) };
  }
}
