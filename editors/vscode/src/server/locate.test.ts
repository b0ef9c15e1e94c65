import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { locate, type Located, type Surroundings } from './locate';

const BUNDLED = '/extension/server/eval-ls';

/** Where the program is looked for, with these files there. */
function check(files: string[], from: Partial<Surroundings>, expected: Located): void {
  const defaults = { setting: '', bundled: BUNDLED, searchPath: '/usr/bin:/opt/bin', home: '/home/ada', workspaceFolder: '/suites' };
  assert.deepEqual(locate({ ...defaults, ...from, isExecutable: (file) => files.includes(file) }), expected);
}

describe('the program', () => {
  it('is the one that the setting names, before all others', () => {
    check(['/my/eval-ls', BUNDLED], { setting: '/my/eval-ls' }, { found: true, program: '/my/eval-ls', by: 'setting' });
  });
  it('is found below the home and the workspace', () => {
    check(['/home/ada/bin/e'], { setting: '~/bin/e' }, { found: true, program: '/home/ada/bin/e', by: 'setting' });
    check(['/suites/bin/e'], { setting: '${workspaceFolder}/bin/e' }, { found: true, program: '/suites/bin/e', by: 'setting' });
  });
  it('may be named without a folder', () => {
    check(['/opt/bin/my-eval-ls'], { setting: 'my-eval-ls' }, { found: true, program: '/opt/bin/my-eval-ls', by: 'setting' });
  });
  it('is no other one where the setting names nothing', () => {
    const message = 'The setting eval-ls.server.path names “/gone”, which is no program that can be started.';
    check([BUNDLED, '/usr/bin/eval-ls'], { setting: '/gone' }, { found: false, message });
  });
  it('is the bundled one, then the one on PATH', () => {
    check([BUNDLED, '/usr/bin/eval-ls'], {}, { found: true, program: BUNDLED, by: 'bundle' });
    check(['/opt/bin/eval-ls', '/usr/bin/eval-ls'], {}, { found: true, program: '/usr/bin/eval-ls', by: 'PATH' });
  });
  it('is never looked for in the current folder', () => {
    const message = 'eval-ls was not found: this package has no program for your system, and there is none on PATH.';
    check(['eval-ls', 'bin/eval-ls'], { searchPath: ':.:bin' }, { found: false, message });
  });
});
