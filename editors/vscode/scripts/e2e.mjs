// Installs the packaged extension into a separate VS Code and runs the end-to-end tests in a real browser.
//
//   node scripts/e2e.mjs [--nightly] [TEST FILE…]
//
// Two windows are open at a time, and each opens one workspace after the other. With --nightly, the files in e2e/nightly run
// too: pictures of all themes, and measures. EVAL_LS_BINARY is the path of the program to package (default:
// target/debug/eval-ls). browser.test.ts needs editors/web/dist. Screenshots go to target/vscode-e2e.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const folder = path.resolve(import.meta.dirname, '..');
const project = path.resolve(folder, '../..');
const shots = path.join(project, 'target/vscode-e2e');

const output = (script) => execFileSync(path.join(project, 'scripts', script), { stdio: ['ignore', 'pipe', 'inherit'] }).toString().trim();
const chromium = output('get-chromium');
const codeServer = output('get-code-server');

const scratch = mkdtempSync(path.join(os.tmpdir(), 'eval-ls-vscode-'));
try {
  const extensions = path.join(scratch, 'extensions');
  const binary = process.env.EVAL_LS_BINARY ?? path.join(project, 'target/debug/eval-ls');
  const install = (edition, platform) => {
    const vsix = path.join(scratch, `${edition}.vsix`);
    const env = { ...process.env, ...platform, EVAL_LS_BINARY: binary, EVAL_LS_VSIX: vsix };
    execFileSync(process.execPath, [path.join(folder, 'scripts/package.mjs')], { env, stdio: ['ignore', 'ignore', 'inherit'] });
    execFileSync(process.execPath, [codeServer, '--user-data-dir', path.join(scratch, 'data'), '--extensions-dir', path.join(extensions, edition), '--install-extension', vsix], { stdio: 'inherit' });
  };
  rmSync(shots, { recursive: true, force: true });
  mkdirSync(shots, { recursive: true });
  const testsIn = (part) => readdirSync(path.join(folder, part)).filter((name) => name.endsWith('.test.ts')).map((name) => path.join(folder, part, name));
  const run = (files) => spawnSync(process.execPath, ['--import', 'tsx', '--test-reporter=spec', 'e2e/main.ts', ...files], {
    cwd: folder,
    stdio: 'inherit',
    env: { ...process.env, E2E_CHROMIUM: chromium, E2E_CODE_SERVER: codeServer, E2E_EXTENSIONS: extensions, E2E_SHOTS: shots },
  }).status ?? 1;
  const named = process.argv.slice(2).filter((argument) => argument !== '--nightly').map((name) => path.resolve(name));
  const nightly = process.argv.includes('--nightly');
  const files = named.length > 0 ? named : [...testsIn('e2e'), ...(nightly ? testsIn('e2e/nightly') : [])];
  const inBrowser = files.filter((file) => path.basename(file) === 'browser.test.ts');
  mkdirSync(extensions);
  if (inBrowser.length > 0) {
    install('browser', { EVAL_LS_PLATFORM: 'web' });
  }
  if (nightly || inBrowser.length < files.length) {
    install('program', {});
  }
  process.exitCode = run(files);
  // Nothing runs beside what is measured.
  process.exitCode ||= nightly ? run([path.join(folder, 'e2e/nightly/measure.ts')]) : 0;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
