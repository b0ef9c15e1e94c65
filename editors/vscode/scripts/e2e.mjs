// Installs the packaged extension into a separate VS Code and runs the end-to-end tests in a real browser.
//
//   node scripts/e2e.mjs [TEST FILE…]
//
// Two test files run at a time, each in a separate window. EVAL_LS_BINARY is the path of the program to package
// (default: target/debug/eval-ls). Screenshots go to target/vscode-e2e.
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
  const vsix = path.join(scratch, 'eval-ls.vsix');
  const extensions = path.join(scratch, 'extensions');
  const binary = process.env.EVAL_LS_BINARY ?? path.join(project, 'target/debug/eval-ls');
  const env = { ...process.env, EVAL_LS_BINARY: binary, EVAL_LS_VSIX: vsix };
  execFileSync(process.execPath, [path.join(folder, 'scripts/package.mjs')], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  execFileSync(process.execPath, [codeServer, '--user-data-dir', path.join(scratch, 'data'), '--extensions-dir', extensions, '--install-extension', vsix], { stdio: 'inherit' });
  rmSync(shots, { recursive: true, force: true });
  mkdirSync(shots, { recursive: true });
  const named = process.argv.slice(2);
  const tests = named.length > 0 ? named.map((name) => path.resolve(name)) : readdirSync(path.join(folder, 'e2e')).filter((name) => name.endsWith('.test.ts')).map((name) => path.join(folder, 'e2e', name));
  const run = spawnSync(process.execPath, ['--import', 'tsx', '--test', '--test-concurrency=2', '--test-reporter=spec', ...tests], {
    cwd: folder,
    stdio: 'inherit',
    env: { ...process.env, E2E_CHROMIUM: chromium, E2E_CODE_SERVER: codeServer, E2E_EXTENSIONS: extensions, E2E_SHOTS: shots },
  });
  process.exitCode = run.status ?? 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
