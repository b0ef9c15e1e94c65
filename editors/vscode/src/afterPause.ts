/** Collects URIs that change with each key, until a person who types makes a pause. */

/** The keys of a person who types follow each other faster. */
const PAUSE_MS = 500;

export class AfterPause {
  private readonly uris = new Set<string>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly act: (uris: string[]) => void) {}

  add(uris: readonly string[]): void {
    uris.forEach((uri) => { this.uris.add(uri); });
    this.wait();
  }

  /** Begins the pause again, if something is collected. */
  wait(): void {
    clearTimeout(this.timer);
    if (this.uris.size > 0) {
      this.timer = setTimeout(() => {
        const all = [...this.uris];
        this.uris.clear();
        this.act(all);
      }, PAUSE_MS);
    }
  }

  /** Removes a URI, and returns whether it was collected. */
  take(uri: string): boolean {
    return this.uris.delete(uri);
  }

  dispose(): void {
    clearTimeout(this.timer);
  }
}
