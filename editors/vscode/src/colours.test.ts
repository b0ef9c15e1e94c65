/** Contrast of the colours that the extension chooses, in the default themes of VS Code: WCAG's 4.5:1 for text, 3:1 for icons. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

import manifest from '../package.json';

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

describe('contrast', () => {
  it('is computed as WCAG does', () => {
    assert.equal(contrast('#000000', '#ffffff'), 21);
    assert.equal(contrast('#777777', '#ffffff').toFixed(2), '4.48');
  });

  it('of the icons is enough, also if a light high contrast theme shows the icon for dark themes', () => {
    const stroke = (file: string): string => /stroke="(#[0-9a-f]{6})"/.exec(readFileSync(`images/${file}`, 'utf8'))?.[1] ?? '';
    for (const back of ['#1f1f1f', '#000000', '#ffffff']) {
      assert.ok(contrast(stroke('suite-dark.svg'), back) >= 3, `suite-dark.svg on ${back}`);
    }
    assert.ok(contrast(stroke('suite-light.svg'), '#ffffff') >= 3, 'suite-light.svg');
  });

  it('of the pages of runs and transcripts is enough for text', () => {
    const style = readFileSync('../../src/report/html/common.css', 'utf8');
    const pairs = new Map([...style.matchAll(/--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)]
      .map(([, name = '', light = '', dark = '']) => [name, [light, dark]] as const));
    const texts = ['text', 'quiet', 'pass', 'fail', 'partial', 'error', 'accent'];
    for (const [place, backs] of [[0, ['#ffffff']], [1, ['#1f1f1f', '#000000']]] as const) {
      // Editors replace the background and the panel.
      for (const back of [...backs, ...['back', 'panel', 'chosen'].map((name) => pairs.get(name)?.[place] ?? '')]) {
        for (const text of texts) {
          const found = contrast(pairs.get(text)?.[place] ?? '', back);
          assert.ok(found >= 4.5, `${text} on ${back}: ${found.toFixed(2)}`);
        }
      }
      for (const back of ['mark', 'mark-fail']) {
        assert.ok(contrast(pairs.get('text')?.[place] ?? '', pairs.get(back)?.[place] ?? '') >= 4.5, back);
      }
    }
  });

  it('of the banner of the extension is enough for its theme', () => {
    const { color, theme } = manifest.galleryBanner;
    assert.ok(contrast(color, theme === 'dark' ? '#ffffff' : '#000000') >= 4.5);
  });
});
