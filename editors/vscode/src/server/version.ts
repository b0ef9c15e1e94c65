/** Versions of the program, and which the extension needs. */

/** The oldest `eval-ls` that knows what this extension asks. */
export const OLDEST = '0.1.0';

/** The version in what `eval-ls --version` prints. */
export function versionIn(output: string): string | undefined {
  return /^eval-ls (\d+\.\d+\.\d+)/.exec(output)?.[1];
}

/** Whether `version` came before `other`; both are three numbers. */
export function isOlder(version: string, other: string): boolean {
  const [left, right] = [version.split('.').map(Number), other.split('.').map(Number)];
  for (let place = 0; place < 3; place += 1) {
    const difference = (left[place] ?? 0) - (right[place] ?? 0);
    if (difference !== 0) {
      return difference < 0;
    }
  }
  return false;
}
