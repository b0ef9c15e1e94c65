/** The findings of the open files, with their fixes. */
import { pathOf, type Diagnostic, type EvalLs } from "../../editors/web/src/index.ts";
import { byId, h, setText, sync } from "./dom.ts";
import type { FileEditor, Finding } from "./file-editor.ts";
import { textOf } from "./lsp.ts";
import { inline } from "./markdown.ts";

/** A finding and where it is. */
interface Found {
  editor: FileEditor;
  finding: Finding;
}

/** The source of the findings that are failed checks; the panel shows these. */
const VERDICTS = "eval-ls verdict";
/** How long nothing is found before fixes are looked for. */
const PAUSE_MS = 150;
const SEVERITIES = ["error", "error", "warning", "note", "hint"];

export class Findings {
  private readonly byPath = new Map<string, Finding[]>();
  private pause: number | undefined;

  constructor(
    private readonly server: () => EvalLs | undefined,
    private readonly editors: () => readonly FileEditor[],
    private readonly showFile: (editor: FileEditor) => void,
  ) {}

  /** Shows none, also not that there is none: the next text is not analysed yet. */
  clear(): void {
    this.byPath.clear();
    setText(byId("finding-count"), "");
    ["no-findings", "foreign"].forEach((id) => (byId(id).hidden = true));
    byId("findings").replaceChildren();
  }

  /** Takes the findings of a file. They keep the fixes that they had until these are looked for again. */
  found(path: string, diagnostics: readonly Diagnostic[]): void {
    const before = this.byPath.get(path) ?? [];
    const fixesOf = (one: Diagnostic) => before.find(({ code, message }) => code === one.code && message === one.message)?.fixes ?? [];
    this.show(path, diagnostics.map((one) => ({ ...one, fixes: fixesOf(one) })));
    clearTimeout(this.pause);
    this.pause = setTimeout(() => this.editors().forEach((editor) => void this.findFixes(editor)), PAUSE_MS);
  }

  /** Asks again for a fix, because the text may have changed, and applies it. */
  async fix({ editor, finding }: Found, title: string): Promise<void> {
    const before = this.editors().map((editor) => editor.view.state.doc);
    const actions = await this.server()?.actions(editor.path, finding.range, [diagnosticOf(finding)]);
    // The ranges of the edits are those of the texts at that time.
    if (this.editors().some((editor, place) => editor.view.state.doc !== before[place])) return;
    const changes = actions?.find((action) => action.title === title)?.edit?.documentChanges ?? [];
    for (const change of changes) {
      if (!("edits" in change)) continue;
      const target = this.editors().find(({ path }) => path === pathOf(change.textDocument.uri));
      target?.apply(change.edits.filter((edit) => "newText" in edit));
      if (target && target !== editor) this.showFile(target);
    }
  }

  private show(path: string, findings: Finding[]): void {
    const shown = this.editors().find((editor) => editor.path === path);
    if (!shown) return;
    this.byPath.set(path, findings);
    shown.showFindings(findings);
    this.list();
  }

  private async findFixes(editor: FileEditor): Promise<void> {
    const findings = this.byPath.get(editor.path) ?? [];
    if (findings.length === 0) return;
    const { doc } = editor.view.state;
    const whole = { start: { line: 0, character: 0 }, end: { line: doc.lines, character: 0 } };
    const actions = (await this.server()?.actions(editor.path, whole, findings.map(diagnosticOf))) ?? [];
    if (this.byPath.get(editor.path) !== findings) return;
    const fixes = actions.filter(({ kind, edit, title }) => kind === "quickfix" && edit && !/^(Allow|Turn) /.test(title));
    const belongs = (one: Finding) => fixes.filter(({ diagnostics }) => diagnostics?.some((other) => same(one, other)));
    this.show(editor.path, findings.map((one) => ({ ...one, fixes: belongs(one).map(({ title }) => title) })));
  }

  private list(): void {
    const all = this.editors().flatMap((editor) => (this.byPath.get(editor.path) ?? []).map((finding) => ({ editor, finding })));
    const lints = all.filter(({ finding }) => finding.source !== VERDICTS);
    lints.sort((one, other) => (one.finding.severity ?? 1) - (other.finding.severity ?? 1));
    setText(byId("finding-count"), String(lints.length));
    byId("no-findings").hidden = lints.length > 0;
    // It is not an object, or an object with other keys.
    const isForeign = ({ code, range }: Finding) => code === "other-format" || (code === "invalid-json" && range.start.line + range.start.character === 0);
    byId("foreign").hidden = !lints.some(({ editor, finding }) => editor.text.trim() !== "" && isForeign(finding));
    sync(byId("findings"), lints, makeItem, (item, found) => this.update(item, found));
  }

  private update(item: HTMLElement, found: Found): void {
    const { severity, message, code, range, fixes } = found.finding;
    const [place, fix] = item.querySelectorAll("button");
    const name = SEVERITIES[severity ?? 1] ?? "error";
    place!.onclick = () => this.goTo(found);
    place!.querySelector(".severity")!.className = `severity ${name}`;
    setText(place!.querySelector(".severity")!, name);
    place!.querySelector(".message")!.replaceChildren(...inline(textOf(message)));
    setText(place!.querySelector(".where")!, `${String(code ?? "")}, line ${range.start.line + 1}`);
    fix!.hidden = fixes.length === 0;
    fix!.onclick = () => void this.fix(found, fixes[0]!);
    fix!.replaceChildren(...inline(fixes[0] ?? ""));
  }

  private goTo({ editor, finding }: Found): void {
    this.showFile(editor);
    editor.select(finding.range);
    editor.view.focus();
  }
}

function makeItem(): HTMLElement {
  const texts = h("span", {}, h("span", { class: "message" }), " ", h("span", { class: "where muted" }));
  const place = h("button", { type: "button", class: "place" }, h("span", { class: "severity" }), texts);
  return h("li", {}, place, h("button", { type: "button", class: "fix" }));
}

function diagnosticOf({ fixes: _fixes, ...diagnostic }: Finding): Diagnostic {
  return diagnostic;
}

function same(one: Diagnostic, other: Diagnostic): boolean {
  const [start, at] = [one.range.start, other.range.start];
  return one.message === other.message && start.line === at.line && start.character === at.character;
}
