import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { launch } from './launch';

describe('the start of the program', () => {
  it('is direct for programs', () => {
    assert.deepEqual(launch('/bin/eval-ls', ['lsp']), { file: '/bin/eval-ls', args: ['lsp'], options: {} });
  });
  it('needs the command interpreter for batch files', () => {
    assert.deepEqual(launch('C:\\My npm\\eval-ls.CMD', ['lsp', '--log=a b'], 'cmd.exe'), {
      file: 'cmd.exe',
      args: ['/d', '/s', '/c', '""C:\\My npm\\eval-ls.CMD" "lsp" "--log=a b""'],
      options: { windowsVerbatimArguments: true },
    });
  });
});
