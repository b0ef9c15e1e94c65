/** Asks for the verdicts after each change: one request at a time, and only the newest answer is shown. */
import type { CaseProof, EvalLs } from "../../editors/web/src/index.ts";

/** Without a change for so long, the other cases are judged too: many of them would delay the verdict after the next key. */
const PAUSE_MS = 150;
/** The measure of each change, for tests and for the tools of browsers. */
const MEASURE = "eval-ls: change to verdict";
/** After so many measures, they are removed: a browser keeps each until then. */
const MAX_MEASURES = 200;

/** What the verdicts are about, and where they are shown. */
interface Subject {
  path(): string;
  /**
   * The id of the case that the reader looks at, unless lines have moved. Its verdict comes first, because those of many cases take
   * longer.
   */
  selected(): string | undefined;
  showOne(proof: CaseProof): void;
  showAll(proofs: CaseProof[]): void;
}

export class Judge {
  /** The number of changes so far. What was asked before the last one is not shown. */
  private changes = 0;
  /** When the first change that is not judged was made. */
  private since: number | null = null;
  private running = false;
  private pause: number | undefined;

  constructor(
    private readonly server: EvalLs,
    private readonly subject: Subject,
  ) {}

  /** To be called after a change has been sent. */
  async request(): Promise<void> {
    this.changes++;
    this.since ??= performance.now();
    clearTimeout(this.pause);
    if (this.running) return;
    this.running = true;
    try {
      while (this.since !== null) await this.judge(this.since);
    } catch {
      // The analysis has stopped, which `EvalLs.onFault` reports.
    } finally {
      this.running = false;
    }
  }

  private async judge(start: number): Promise<void> {
    this.since = null;
    const selected = this.subject.selected();
    const found = selected === undefined ? [] : await this.proofs(selected);
    if (this.since !== null) return;
    const [only, other] = found;
    // With an id that is used twice, nobody knows which case it is.
    if (only && !other) {
      this.subject.showOne(only);
      this.pause = setTimeout(() => void this.judgeAll().catch(() => undefined), PAUSE_MS);
    } else {
      await this.judgeAll();
    }
    if (performance.getEntriesByName(MEASURE).length >= MAX_MEASURES) performance.clearMeasures(MEASURE);
    performance.measure(MEASURE, { start });
  }

  private async judgeAll(): Promise<void> {
    const { changes } = this;
    const all = await this.proofs();
    if (changes === this.changes) this.subject.showAll(all);
  }

  private async proofs(caseId?: string): Promise<CaseProof[]> {
    return (await this.server.proofs(this.subject.path(), caseId)) ?? [];
  }
}
