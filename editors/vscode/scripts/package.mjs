// Writes eval-ls-PLATFORM.vsix: the bundle, its files and the program.
//
// EVAL_LS_PLATFORM is a platform of VS Code, such as `linux-x64` (default: that of this machine), `universal` for a package without
// a program, which needs one on PATH, or `web` for browsers, with the analysis that editors/web has built. EVAL_LS_BINARY is the path of the program (default: a new release build).
// EVAL_LS_VSIX is the path of the output. EVAL_LS_REPOSITORY replaces the address of the project in Cargo.toml.
// `scripts/release` writes the packages of all platforms.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const folder = path.resolve(import.meta.dirname, '..');
const project = path.resolve(folder, '../..');
const staging = path.join(folder, 'staging');
const platform = process.env.EVAL_LS_PLATFORM ?? `${process.platform}-${process.arch}`;
const isWeb = platform === 'web';
const hasProgram = !isWeb && platform !== 'universal';
const output = path.resolve(process.env.EVAL_LS_VSIX ?? path.join(folder, `eval-ls-${platform}.vsix`));
const ofSystem = (system) => (system.startsWith('win32') ? 'eval-ls.exe' : 'eval-ls');

const run = (program, args, cwd) => execFileSync(program, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
const tool = (name) => path.join(folder, 'node_modules/.bin', name);

function binary() {
  if (process.env.EVAL_LS_BINARY) {
    return path.resolve(process.env.EVAL_LS_BINARY);
  }
  run('cargo', ['build', '--release', '--locked', '--bin', 'eval-ls'], project);
  return path.join(process.env.CARGO_TARGET_DIR ?? path.join(project, 'target'), 'release', ofSystem(process.platform));
}

/** The address of the project, if it has one: EVAL_LS_REPOSITORY, else `repository` in Cargo.toml. */
function repository() {
  const [settings] = readFileSync(path.join(project, 'Cargo.toml'), 'utf8').split(/^\[(?!package\])/m);
  const url = process.env.EVAL_LS_REPOSITORY || /^repository = "(.+)"$/m.exec(settings)?.[1];
  return url?.replace(/\/+$/, '').replace(/\.git$/, '');
}

/** The package file without the parts for development, and without those for browsers or those for programs. */
function manifest() {
  const all = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  if (isWeb) {
    all.capabilities.virtualWorkspaces.description = 'Suites are linted and completed, and stored transcripts are scored. Runs need the desktop.';
    // The search for `workspaceContains` takes too long in some repositories.
    all.activationEvents.push('onLanguage:json');
    ['views', 'viewsWelcome', 'walkthroughs'].forEach((part) => { delete all.contributes[part]; });
    delete all.contributes.menus['editor/title/run'];
  }
  const kept = Object.entries(all).filter(([key]) => !['scripts', 'devDependencies', 'private', isWeb ? 'main' : 'browser'].includes(key));
  const url = repository();
  const address = url === undefined ? [] : [['repository', { type: 'git', url }], ['bugs', { url: `${url}/issues` }], ['homepage', url]];
  return JSON.stringify(Object.fromEntries([...kept, ...address, ['files', ['**']]]), null, 2);
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

/**
 * The README as the extension's page. VS Code draws a picture of that page only from an https address or from the text itself,
 * so pictures are embedded as long as the project has no address. Links to other pages then lead nowhere and become words.
 */
function page() {
  const [url, text] = [repository(), readFileSync(path.join(folder, 'README.md'), 'utf8')];
  const embedded = (name) => `data:image/png;base64,${readFileSync(path.join(project, 'docs/images', name)).toString('base64')}`;
  const pictures = text.replaceAll(/\.\.\/\.\.\/(docs\/images\/([\w-]+\.png))/g, (_, file, name) => (url === undefined ? embedded(name) : `${url}/raw/HEAD/${file}`));
  return pictures.replaceAll(/\[([^\]]+)\]\(\.\.\/\.\.\/([^)]+)\)/g, (_, label, file) => (url === undefined ? label : `[${label}](${url}/blob/HEAD/${file})`));
}

const stage = (from, to = path.basename(from)) => cpSync(path.resolve(folder, from), path.join(staging, to), { recursive: true });

rmSync(staging, { recursive: true, force: true });
mkdirSync(staging, { recursive: true });
run(process.execPath, [path.join(folder, 'scripts/build.mjs'), ...(isWeb ? ['--web'] : [])], folder);
writeFileSync(path.join(staging, 'package.json'), manifest());
for (const part of ['dist', 'images', 'syntaxes', ...(isWeb ? [] : ['walkthrough']), 'language-configuration.json', 'toml-language-configuration.json', 'CHANGELOG.md', '../../LICENSE', '../../THIRD_PARTY_NOTICES.md']) {
  stage(part);
}
writeFileSync(path.join(staging, 'README.md'), page());
for (const version of ['0.1', '0.2', '0.3']) {
  stage(`../../schemas/eval-set.v${version}.schema.json`, `schemas/eval-set.v${version}.schema.json`);
}
writeFileSync(path.join(staging, 'schemas/eval-set.schema.json'), anyVersion());
if (hasProgram) {
  const program = path.join(staging, 'server', ofSystem(platform));
  mkdirSync(path.dirname(program));
  cpSync(binary(), program, { dereference: true });
  chmodSync(program, 0o755);
}

rmSync(output, { force: true });
const options = ['--no-dependencies', '--no-rewrite-relative-links', '--out', output];
if (hasProgram || isWeb) {
  options.push('--target', platform);
}
if (repository() === undefined) {
  options.push('--allow-missing-repository');
}
run(tool('vsce'), ['package', ...options], staging);
const size = (file) => `${Math.round(statSync(file).size / 1000)} kB`;
console.log(`${path.relative(process.cwd(), output)}: ${size(output)}, of which the bundle is ${size(path.join(staging, isWeb ? 'dist/browser.js' : 'dist/extension.js'))} before compression`);
