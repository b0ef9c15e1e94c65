// Bundles the extension into dist/extension.js.
import { build } from 'esbuild';

const folder = new URL('..', import.meta.url).pathname;

await build({
  absWorkingDir: folder,
  entryPoints: ['src/extension.ts'],
  outfile: 'dist/extension.js',
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  external: ['vscode'],
  // The library's ES modules make a smaller bundle than its CommonJS ones, which cannot be shaken.
  mainFields: ['module', 'main'],
  logLevel: 'warning',
});
