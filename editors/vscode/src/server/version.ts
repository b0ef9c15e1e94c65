/** Versions of the program and its protocol. */

import type { Experimental } from '../protocol';

/** The oldest `eval-ls` that this extension supports. */
export const OLDEST = '0.1.0';

/** The version of the `eval-ls/*` methods that this extension knows. */
export const PROTOCOL = 1;

/** Reads the announced version of the `eval-ls/*` methods. Returns a complaint if it is another one. */
export function protocolMismatch(experimental: unknown): string | undefined {
  const announced = (experimental as { 'eval-ls'?: Partial<Experimental> } | null | undefined)?.['eval-ls']?.protocol;
  if (announced === PROTOCOL) {
    return undefined;
  }
  return announced === undefined || announced < PROTOCOL
    ? 'This eval-ls is older than the extension, so some features are missing. Install a newer eval-ls.'
    : 'This eval-ls is newer than the extension, so some features may not work. Update the extension.';
}

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
