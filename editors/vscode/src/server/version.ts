/** Versions of the program. */

/** The oldest `eval-ls` that this extension supports. */
export const OLDEST = '0.1.0';

/** Finds the version in the output of `eval-ls --version`. */
export function versionIn(output: string): string | undefined {
  return /^eval-ls (\d+\.\d+\.\d+)/.exec(output)?.[1];
}

/** Whether `version` is older than `other`; both have three numbers. */
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
