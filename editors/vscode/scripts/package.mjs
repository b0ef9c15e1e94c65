// Writes eval-ls-linux-x64.vsix: the bundle, its files and the program.
//
// EVAL_LS_BINARY is the path of the program (default: a new release build). EVAL_LS_VSIX is the path of the output.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const folder = path.resolve(import.meta.dirname, '..');
const project = path.resolve(folder, '../..');
const staging = path.join(folder, 'staging');
const output = path.resolve(process.env.EVAL_LS_VSIX ?? path.join(folder, 'eval-ls-linux-x64.vsix'));

const run = (program, args, cwd) => execFileSync(program, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
const tool = (name) => path.join(folder, 'node_modules/.bin', name);

function binary() {
  if (process.env.EVAL_LS_BINARY) {
    return path.resolve(process.env.EVAL_LS_BINARY);
  }
  run('cargo', ['build', '--release', '--locked', '--bin', 'eval-ls'], project);
  return path.join(process.env.CARGO_TARGET_DIR ?? path.join(project, 'target'), 'release/eval-ls');
}

/** The package file without the parts for development. */
function manifest() {
  const all = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const kept = Object.entries(all).filter(([key]) => !['scripts', 'devDependencies', 'private'].includes(key));
  return JSON.stringify(Object.fromEntries([...kept, ['files', ['**']]]), null, 2);
}

/** One schema for suites that are opened as plain JSON: their `version` selects one of the three schemas. */
function anyVersion() {
  const of = (version) => ({ $ref: `./eval-set.v${version}.schema.json` });
  const says = (version) => ({ required: ['version'], properties: { version: { type: 'string', pattern: `^${version.replace('.', '\\.')}(\\.|$)` } } });
  return JSON.stringify({
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Eval suite',
    if: says('0.1'), then: of('0.1'),
    else: { if: says('0.2'), then: of('0.2'), else: of('0.3') },
  }, null, 2);
}

const stage = (from, to = path.basename(from)) => cpSync(path.resolve(folder, from), path.join(staging, to), { recursive: true });

rmSync(staging, { recursive: true, force: true });
mkdirSync(path.join(staging, 'server'), { recursive: true });
run(process.execPath, [path.join(folder, 'scripts/build.mjs')], folder);
writeFileSync(path.join(staging, 'package.json'), manifest());
for (const part of ['dist', 'images', 'syntaxes', 'walkthrough', 'language-configuration.json', 'toml-language-configuration.json', 'CHANGELOG.md', '../../LICENSE', '../../THIRD_PARTY_NOTICES.md']) {
  stage(part);
}
// The program contains code of Playwright.
for (const part of ['LICENSE', 'NOTICE']) {
  stage(`../../src/targets/browser/aria/${part}`, `third-party/playwright/${part}`);
}
// The pictures of the README are those of the project.
const page = readFileSync(path.join(folder, 'README.md'), 'utf8');
writeFileSync(path.join(staging, 'README.md'), page.replaceAll('../../docs/images/', 'images/'));
for (const [, picture] of page.matchAll(/\.\.\/\.\.\/docs\/images\/([\w-]+\.png)/g)) {
  stage(`../../docs/images/${picture}`, `images/${picture}`);
}
for (const version of ['0.1', '0.2', '0.3']) {
  stage(`../../schemas/eval-set.v${version}.schema.json`, `schemas/eval-set.v${version}.schema.json`);
}
writeFileSync(path.join(staging, 'schemas/eval-set.schema.json'), anyVersion());
cpSync(binary(), path.join(staging, 'server/eval-ls'), { dereference: true });
chmodSync(path.join(staging, 'server/eval-ls'), 0o755);

rmSync(output, { force: true });
run(tool('vsce'), ['package', '--target', 'linux-x64', '--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links', '--out', output], staging);
const size = (file) => `${Math.round(statSync(file).size / 1000)} kB`;
console.log(`${path.relative(process.cwd(), output)}: ${size(output)}, of which the bundle is ${size(path.join(staging, 'dist/extension.js'))} before compression`);
