import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { isOlder, protocolMismatch, versionIn } from './version';

describe('versions', () => {
  it('are read from the output of the program', () => {
    assert.equal(versionIn('eval-ls 0.1.0\nPCRE2 10.46 2025-08-27\n'), '0.1.0');
    assert.equal(versionIn('ls (GNU coreutils) 9.1'), undefined);
    assert.equal(versionIn(''), undefined);
  });
  it('of the protocol are compared with the one of the extension', () => {
    assert.equal(protocolMismatch({ 'eval-ls': { protocol: 1 } }), undefined);
    assert.match(protocolMismatch({ 'eval-ls': { protocol: 2 } }) ?? '', /newer than the extension/);
    for (const older of [undefined, null, {}, { 'eval-ls': {} }]) {
      assert.match(protocolMismatch(older) ?? '', /older than the extension/);
    }
  });
  it('are compared by their numbers', () => {
    for (const [version, other, older] of [['0.9.0', '0.10.0', true], ['0.10.0', '0.9.0', false], ['1.2.3', '1.2.3', false], ['1.2.3', '1.2.4', true]] as const) {
      assert.equal(isOlder(version, other), older, `${version} before ${other}`);
    }
  });
});
