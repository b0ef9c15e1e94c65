// Bundles the extension into dist/extension.js; with --web, the extension for browsers into dist/browser.js, beside the analysis
// that editors/web has built.
import { cpSync, existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

const folder = path.resolve(import.meta.dirname, '..');
const web = path.resolve(folder, '../web/dist');

const shared = { absWorkingDir: folder, bundle: true, minify: true, format: 'cjs', external: ['vscode'], logLevel: 'warning' };
rmSync(path.join(folder, 'dist'), { recursive: true, force: true });
if (process.argv.includes('--web')) {
  await build({ ...shared, entryPoints: ['src/browser/extension.ts'], outfile: 'dist/browser.js', platform: 'browser', target: 'es2022' });
  for (const name of ['worker.js', 'eval_ls.wasm']) {
    if (!existsSync(path.join(web, name))) {
      throw new Error(`editors/web/dist/${name} does not exist; run \`npm run build\` in editors/web`);
    }
    cpSync(path.join(web, name), path.join(folder, 'dist', name));
  }
} else {
  await build({
    ...shared,
    entryPoints: ['src/extension.ts'],
    outfile: 'dist/extension.js',
    platform: 'node',
    target: 'node20',
    // Bundle the library's ES modules: tree shaking does not work for its CommonJS modules.
    mainFields: ['module', 'main'],
  });
}
