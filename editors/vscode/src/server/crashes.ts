/** How often the server may end unasked before it is left alone. */

const ALLOWED = 4;
const WITHIN_MS = 180_000;

export class Crashes {
  private moments: number[] = [];

  /** Notes a crash at a moment (in milliseconds); says whether another start is worth it. */
  mayRestart(moment: number): boolean {
    this.moments = [...this.moments, moment].filter((earlier) => moment - earlier < WITHIN_MS);
    return this.moments.length <= ALLOWED;
  }
}

/** How a process ended, in words that follow its name. */
export function reasonOf(code: number | null, signal: string | null, lastLine: string): string {
  const how = signal === null ? `ended with status ${code ?? 'unknown'}` : `was ended by ${signal}`;
  return lastLine === '' ? how : `${how}: ${lastLine}`;
}
