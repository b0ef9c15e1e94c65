/** What `scripts/e2e.mjs` passes to the tests. */

export function env(name: string): string {
  const value = process.env[name];
  if (value === undefined) {
    throw new Error(`${name} is not set: start the end-to-end tests with \`npm run e2e\``);
  }
  return value;
}
