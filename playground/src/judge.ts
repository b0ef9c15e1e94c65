/** Asks for the verdicts after each change: one request at a time, and only the newest answer is shown. */
import type { CaseProof, EvalLs } from "../../editors/web/src/index.ts";

/** Without a change for so long, the other cases are judged too: many of them would delay the verdict after the next key. */
const PAUSE_MS = 150;

/** What the verdicts are about, and where they are shown. */
interface Subject {
  path(): string;
  /** The id of the case that the reader looks at. Its verdict comes first, because those of many cases take longer. */
  selected(): string | undefined;
  showOne(proof: CaseProof): void;
  showAll(proofs: CaseProof[]): void;
}

export class Judge {
  private running = false;
  private changed: number | null = null;

  constructor(
    private readonly server: EvalLs,
    private readonly subject: Subject,
  ) {}

  /** To be called after a change has been sent. */
  async request(): Promise<void> {
    this.changed ??= performance.now();
    if (this.running) return;
    this.running = true;
    try {
      while (this.changed !== null) await this.judge();
    } catch {
      // The analysis has stopped, which `EvalLs.onFault` reports.
    } finally {
      this.running = false;
    }
  }

  private async judge(): Promise<void> {
    const start = this.changed ?? performance.now();
    this.changed = null;
    const { server, subject } = this;
    const selected = subject.selected();
    const [first] = selected === undefined ? [] : ((await server.proofs(subject.path(), selected)) ?? []);
    if (this.changed !== null) return;
    if (first) {
      subject.showOne(first);
      performance.measure("eval-ls: change to verdict", { start });
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      if (this.changed !== null) return;
    }
    const all = (await server.proofs(subject.path())) ?? [];
    if (this.changed !== null) return;
    subject.showAll(all);
    if (!first) performance.measure("eval-ls: change to verdict", { start });
  }
}
