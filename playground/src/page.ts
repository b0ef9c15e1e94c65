/** The page of one workspace: edits go to the analysis, and its verdicts are shown. */
import examples from "examples";
import { pathOf, transcriptOf, type CaseProof, type CheckProof, type EvalLs } from "../../editors/web/src/index.ts";
import { AnswerEditor, type Mark } from "./answer-editor.ts";
import { byId, notify } from "./dom.ts";
import { FileEditor } from "./file-editor.ts";
import { Findings } from "./findings.ts";
import { Judge } from "./judge.ts";
import { spanOf } from "./lsp.ts";
import { showCase, showCases, showChecks } from "./panel.ts";
import { STEPS, showSteps, stateOf, type Step } from "./steps.ts";
import { showVerdicts } from "./verdict-marks.ts";
import { toneOfOutcome } from "./words.ts";
import { CONFIG, fileOf, withResponse, type Transcript, type Workspace } from "./workspace.ts";

export class Page {
  private workspace: Workspace = structuredClone(examples[0]!);
  private editors: FileEditor[] = [];
  private readonly findings = new Findings(() => this.server, () => this.editors, (editor) => this.showFile(editor));
  private cases: CaseProof[] = [];
  /** The number of lines of the suite when all cases were judged last. */
  private judgedLines = 0;
  private selected = 0;
  /** The check that is open: `null` is the first one that fails, `""` is none. */
  private chosen: string | null = null;
  private answerPath: string | null = null;
  private readonly answer = new AnswerEditor(byId("answer"), (text) => this.answered(text));
  /** They are there once the analysis runs. */
  private server: EvalLs | undefined;
  private judge: Judge | undefined;
  /** Whether the analysis cannot continue. */
  private stopped = false;

  connect(server: EvalLs): void {
    this.server = server;
    this.judge = new Judge(server, {
      path: () => this.workspace.path,
      selected: () => (this.linesMoved() ? undefined : this.cases[this.selected]?.id),
      showOne: (proof) => this.judgedOne(proof),
      showAll: (proofs) => this.judged(proofs),
    });
    server.onFindings = (path, diagnostics) => this.findings.found(path, diagnostics);
    server.onFault = (message) => this.fail(message);
    this.send();
  }

  get current(): Workspace {
    return this.workspace;
  }

  /** Removes the notice. That of an analysis that has stopped remains. */
  clearNotice(): void {
    if (!this.stopped) notify("");
  }

  load(workspace: Workspace): void {
    this.close();
    this.workspace = structuredClone(workspace);
    this.selected = 0;
    this.chosen = null;
    this.answerPath = null;
    const { config, suite, path } = this.workspace;
    this.editors = [this.open(path, suite, "suite"), this.open(CONFIG, config, "config")];
    byId("suite-tab").textContent = path.split("/").at(-1) ?? path;
    this.showTab(0);
    this.showNothing();
    this.send();
  }

  /** The verdicts of another text, or of an analysis that has stopped, are not shown. */
  private showNothing(): void {
    this.cases = [];
    byId("page").setAttribute("aria-busy", "true");
    delete byId("page").dataset["judged"];
    this.render();
  }

  private fail(message: string): void {
    this.stopped = true;
    notify(`${message}. Reload the page; a copied link keeps your work.`);
    this.showNothing();
    this.findings.clear();
    this.editors.forEach((editor) => editor.showFindings([]));
  }

  private send(): void {
    if (this.stopped) return;
    const { transcripts, config } = this.workspace;
    this.server?.write({ [CONFIG]: config, ...mapValues(transcripts, fileOf) });
    this.editors.forEach((editor) => editor.open());
    void this.judge?.request();
  }

  showTab(shown: number): void {
    ["suite", "config"].forEach((id, index) => {
      byId(id).hidden = index !== shown;
      byId(`${id}-tab`).setAttribute("aria-pressed", String(index === shown));
    });
  }

  /** The answer of the selected case counts for its present prompt. */
  renew(): void {
    const proof = this.cases[this.selected];
    if (!proof || proof.outdated || this.answerPath === null) return;
    const fresh = JSON.parse(transcriptOf(proof, this.answer.text)) as Transcript;
    this.store({ ...this.transcriptOf(proof), prompt: proof.prompt, setup_prompts: fresh.setup_prompts ?? [] });
  }

  private close(): void {
    this.editors.forEach((editor) => editor.close());
    this.findings.clear();
    this.server?.write(mapValues(this.workspace.transcripts, () => null));
  }

  private open(path: string, text: string, id: "suite" | "config"): FileEditor {
    const editor: FileEditor = new FileEditor({
      server: () => this.server,
      path,
      text,
      parent: byId(id),
      label: id === "suite" ? "Suite" : "Configuration",
      onEdit: (now) => this.edited(id, now),
      onCursor: (offset) => id === "suite" && this.cursorAt(offset),
      onFix: (finding, title) => void this.findings.fix({ editor, finding }, title),
    });
    return editor;
  }

  private edited(file: "suite" | "config", text: string): void {
    this.workspace[file] = text;
    if (file === "suite") this.dropOtherAnswers();
    if (file === "config") this.server?.write({ [CONFIG]: text });
    void this.judge?.request();
  }

  /** The answers of an example do not belong to a suite that has none of their prompts. */
  private dropOtherAnswers(): void {
    const { suite, transcripts } = this.workspace;
    const prompts = Object.values(transcripts).map(({ prompt = "" }) => JSON.stringify(prompt));
    if (prompts.length < 2 || !suite.includes('"prompt"') || prompts.some((prompt) => suite.includes(prompt))) return;
    this.server?.write(mapValues(transcripts, () => null));
    this.workspace = { ...this.workspace, name: "Your suite", transcripts: {} };
    this.answerPath = null;
  }

  private answered(text: string): void {
    const proof = this.cases[this.selected];
    if (proof) this.store(withResponse(this.transcriptOf(proof), text));
  }

  private store(transcript: Transcript): void {
    if (this.answerPath === null) return;
    this.workspace.transcripts[this.answerPath] = transcript;
    this.server?.write({ [this.answerPath]: fileOf(transcript) });
    void this.judge?.request();
  }

  private transcriptOf(proof: CaseProof): Transcript {
    const stored = proof.transcript === null ? undefined : this.workspace.transcripts[pathOf(proof.transcript)];
    return stored ?? (JSON.parse(transcriptOf(proof, "")) as Transcript);
  }

  private judgedOne(proof: CaseProof): void {
    if (this.stopped || this.cases[this.selected]?.id !== proof.id) return;
    this.cases[this.selected] = proof;
    this.render();
  }

  private judged(cases: CaseProof[]): void {
    if (this.stopped) return;
    this.cases = cases;
    this.judgedLines = this.editors[0]?.view.state.doc.lines ?? 0;
    this.selected = Math.max(0, Math.min(this.selected, cases.length - 1));
    const { view } = this.editors[0] ?? {};
    const here = view?.hasFocus ? this.caseAt(view.state.selection.main.head) : -1;
    if (here >= 0 && here !== this.selected) this.selectCase(here);
    else this.render();
    byId("page").dataset["judged"] = "true";
    byId("page").removeAttribute("aria-busy");
  }

  private render(): void {
    const proof = this.cases[this.selected];
    this.showAnswer(proof);
    const open = this.openCheck(proof);
    showCases(this.cases, this.selected, (index) => this.choose(index));
    showCase(proof, proof && this.transcriptOf(proof));
    showChecks(proof, open?.id ?? null, (check) => this.openOrClose(check));
    this.answer.mark(this.marksOf(proof, open));
    const suite = this.editors[0];
    if (suite) showVerdicts(suite.view, { cases: this.cases, selected: this.cases.length > 1 ? this.selected : -1, open });
    this.showSteps();
  }

  private showAnswer(proof: CaseProof | undefined): void {
    const path = proof?.transcript ? pathOf(proof.transcript) : null;
    if (path === this.answerPath) return;
    this.answerPath = path;
    this.answer.show(proof ? this.transcriptOf(proof).response : "");
  }

  private openCheck(proof: CaseProof | undefined): CheckProof | undefined {
    return proof?.checks.find((check) => (this.chosen === null ? check.outcome === "failed" : check.id === this.chosen));
  }

  /** The places of the open check and of all failed ones. They are of the answer that was judged. */
  private marksOf(proof: CaseProof | undefined, open: CheckProof | undefined): Mark[] {
    if (!proof || proof.response !== this.answer.text) return [];
    const shown = proof.checks.filter((check) => check === open || check.outcome === "failed");
    return shown.flatMap((check) => {
      const name = `evidence ${toneOfOutcome(check.outcome)}${check === open ? " open" : ""}`;
      return check.evidence.map((place) => ({ ...place, class: name }));
    });
  }

  private cursorAt(offset: number): void {
    // After the next verdicts, it is known where the cases are.
    if (this.linesMoved()) return;
    const index = this.caseAt(offset);
    // The editor is still updating.
    if (index >= 0 && index !== this.selected) queueMicrotask(() => this.selectCase(index));
  }

  /** Whether the cases are no longer on the lines that the last verdicts have. */
  private linesMoved(): boolean {
    return this.editors[0]?.view.state.doc.lines !== this.judgedLines;
  }

  private caseAt(offset: number): number {
    const doc = this.editors[0]?.view.state.doc;
    return doc ? this.cases.findIndex(({ range }) => spanOf(doc, range).from <= offset && offset <= spanOf(doc, range).to) : -1;
  }

  private choose(index: number): void {
    this.selectCase(index);
    const proof = this.cases[index];
    if (proof) this.editors[0]?.moveTo(proof.range);
  }

  private selectCase(index: number): void {
    this.selected = index;
    this.chosen = null;
    this.render();
    this.showEvidence(this.openCheck(this.cases[index]));
  }

  private openOrClose(check: CheckProof): void {
    const close = this.openCheck(this.cases[this.selected])?.id === check.id;
    this.chosen = close ? "" : check.id;
    this.render();
    if (close) return;
    this.showTab(0);
    this.editors[0]?.select(check.range);
    this.showEvidence(check);
  }

  private showEvidence(check: CheckProof | undefined): void {
    const first = check?.evidence[0];
    if (first) this.answer.scrollTo(first.start);
  }

  private showFile(editor: FileEditor): void {
    this.showTab(this.editors.indexOf(editor));
    editor.view.dom.scrollIntoView({ block: "nearest" });
  }

  private showSteps(): void {
    const first = this.workspace.name === examples[0]!.name;
    showSteps(first ? STEPS.map((step) => stateOf(step, this.textOf(step))) : null, (step, state) => this.take(step, state === "done"));
  }

  private textOf({ where }: Step): string {
    const path = Object.keys(examples[0]!.transcripts).find((one) => one.endsWith("/OPEN1.json")) ?? "";
    return where === "suite" ? this.workspace.suite : (this.workspace.transcripts[path]?.response ?? "");
  }

  /** Takes a step, or takes it back. Its sentence is about the example without the other steps, so those are taken back. */
  private take(step: Step, undo: boolean): void {
    if (!undo) {
      STEPS.filter((other) => other !== step && stateOf(other, this.textOf(other)) === "done").forEach((other) => this.take(other, true));
    }
    this.choose(0);
    this.showTab(0);
    this.chosen = undo ? null : step.check;
    const [find, replace] = undo ? [step.replace, step.find] : [step.find, step.replace];
    (step.where === "suite" ? this.editors[0] : this.answer)?.replace(find, replace);
  }
}

function mapValues<T, U>(record: Record<string, T>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
