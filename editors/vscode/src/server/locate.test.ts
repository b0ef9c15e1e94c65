import assert from 'node:assert/strict';
import * as path from 'node:path';
import { describe, it } from 'node:test';

import { locate, type Located, type Surroundings } from './locate';

const BUNDLED = '/extension/server/eval-ls';

/** Checks the located program if these files exist. */
function check(files: string[], from: Partial<Surroundings>, expected: Located): void {
  const defaults = { setting: '', bundled: BUNDLED, searchPath: '/usr/bin:/opt/bin', home: '/home/ada', workspaceFolder: '/suites', paths: path.posix };
  assert.deepEqual(locate({ ...defaults, ...from, isExecutable: (file) => files.includes(file) }), expected);
}

describe('the program', () => {
  it('is the one in the setting, before all others', () => {
    check(['/my/eval-ls', BUNDLED], { setting: '/my/eval-ls' }, { found: true, program: '/my/eval-ls', by: 'setting' });
  });
  it('may be relative to the home or the workspace folder', () => {
    check(['/home/ada/bin/e'], { setting: '~/bin/e' }, { found: true, program: '/home/ada/bin/e', by: 'setting' });
    check(['/suites/bin/e'], { setting: '${workspaceFolder}/bin/e' }, { found: true, program: '/suites/bin/e', by: 'setting' });
  });
  it('may be a name on PATH', () => {
    check(['/opt/bin/my-eval-ls'], { setting: 'my-eval-ls' }, { found: true, program: '/opt/bin/my-eval-ls', by: 'setting' });
  });
  it('is not replaced by another if the setting is wrong', () => {
    const message = 'eval-ls.server.path is "/gone", which is not an executable program; correct the setting.';
    check([BUNDLED, '/usr/bin/eval-ls'], { setting: '/gone' }, { found: false, message });
  });
  it('is the bundled one, else the one on PATH', () => {
    check([BUNDLED, '/usr/bin/eval-ls'], {}, { found: true, program: BUNDLED, by: 'bundle' });
    check(['/opt/bin/eval-ls', '/usr/bin/eval-ls'], {}, { found: true, program: '/usr/bin/eval-ls', by: 'PATH' });
  });
  it('has an ending on Windows', () => {
    const windows = { paths: path.win32, searchPath: 'C:\\npm;C:\\bin', home: 'C:\\Users\\ada' };
    check(['C:\\npm\\eval-ls', 'C:\\npm\\eval-ls.cmd', 'C:\\bin\\eval-ls.exe'], windows, { found: true, program: 'C:\\npm\\eval-ls.cmd', by: 'PATH' });
    check(['C:\\npm\\my.cmd', 'C:\\npm\\my.exe'], { ...windows, setting: 'my' }, { found: true, program: 'C:\\npm\\my.exe', by: 'setting' });
    check(['C:\\Users\\ada\\e.exe'], { ...windows, setting: '~\\e' }, { found: true, program: 'C:\\Users\\ada\\e.exe', by: 'setting' });
    check(['D:/e.EXE'], { ...windows, setting: 'D:/e.EXE' }, { found: true, program: 'D:/e.EXE', by: 'setting' });
    check(['/opt/bin/eval-ls.exe'], {}, { found: false, message: 'eval-ls was not found in this package or on PATH; install it or set eval-ls.server.path.' });
  });
  it('is never taken from the current folder', () => {
    const message = 'eval-ls was not found in this package or on PATH; install it or set eval-ls.server.path.';
    check(['eval-ls', 'bin/eval-ls'], { searchPath: ':.:bin' }, { found: false, message });
  });
});
