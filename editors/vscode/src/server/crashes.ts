/** Limits how often a crashed server is restarted. */

const ALLOWED = 4;
const WITHIN_MS = 180_000;

export class Crashes {
  private moments: number[] = [];

  /** Records a crash at a time in milliseconds and returns whether to restart. */
  mayRestart(moment: number): boolean {
    this.moments = [...this.moments, moment].filter((earlier) => moment - earlier < WITHIN_MS);
    return this.moments.length <= ALLOWED;
  }
}

/** Describes how a process ended, as a phrase that follows its name. */
export function reasonOf(code: number | null, signal: string | null, lastLine: string): string {
  const how = signal === null ? `exited with status ${code ?? 'unknown'}` : `was killed by ${signal}`;
  return lastLine === '' ? how : `${how}: ${lastLine}`;
}
