/** Conversions between the language server and CodeMirror. */
import type { ChangeSet, ChangeSpec, Text } from "@codemirror/state";
import type { Change, CompletionList, Hover, Position, Range, TextEdit } from "../../editors/web/src/index.ts";

export type CompletionItem = CompletionList["items"][number];

export function offsetOf(doc: Text, { line, character }: Position): number {
  if (line >= doc.lines) return doc.length;
  const { from, to } = doc.line(line + 1);
  return Math.min(from + character, to);
}

export function positionAt(doc: Text, offset: number): Position {
  const line = doc.lineAt(offset);
  return { line: line.number - 1, character: offset - line.from };
}

export function spanOf(doc: Text, { start, end }: Range): { from: number; to: number } {
  return { from: offsetOf(doc, start), to: offsetOf(doc, end) };
}

/** The changes of a transaction, last first: then each applies to the positions before it. */
export function changesOf(changes: ChangeSet, before: Text): Change[] {
  const list: Change[] = [];
  changes.iterChanges((from, to, _from, _to, inserted) => {
    list.unshift({ range: { start: positionAt(before, from), end: positionAt(before, to) }, text: inserted.toString() });
  });
  return list;
}

export function editsOf(doc: Text, edits: readonly TextEdit[]): ChangeSpec[] {
  return edits.map(({ range, newText }) => ({ ...spanOf(doc, range), insert: newText }));
}

/** The edit of a completion. */
export function editOf(item: CompletionItem): { range: Range; text: string } | null {
  const edit = item.textEdit;
  if (!edit) return null;
  return { range: "range" in edit ? edit.range : edit.insert, text: edit.newText };
}

/** A snippet of LSP as one of CodeMirror. */
export function snippetOf(template: string): string {
  return template.replace(/\\([$}\\])|\$(\d+)|\$\{(\d+)(?:\|([^,|}]*)[^}]*\||:([^}]*))?\}/g, (_all, escaped, bare, number, choice, given) => {
    if (escaped !== undefined) return escaped as string;
    const stop = (bare ?? number) as string;
    return stop === "0" ? "${}" : `\${${stop}:${(choice ?? given ?? "") as string}}`;
  });
}

/** The text of documentation or of a hover. */
export function textOf(contents: Hover["contents"] | CompletionItem["documentation"]): string {
  if (contents === undefined) return "";
  if (typeof contents === "string") return contents;
  return Array.isArray(contents) ? contents.map(textOf).join("\n\n") : contents.value;
}
