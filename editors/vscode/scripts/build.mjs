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
  // Bundle the library's ES modules: tree shaking does not work for its CommonJS modules.
  mainFields: ['module', 'main'],
  logLevel: 'warning',
});
