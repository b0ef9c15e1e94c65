/** Runs the test files that are named, two workspaces at a time, in two windows. */

import { after, describe } from 'node:test';

import { closeWindows } from './support/scenario';

after(closeWindows);

describe('VS Code', { concurrency: 2 }, async () => {
  for (const file of process.argv.slice(2)) {
    await import(file);
  }
});
