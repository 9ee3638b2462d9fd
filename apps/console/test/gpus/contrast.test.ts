import { readFileSync } from 'node:fs';
import { blend, contrast, moreReadable, parseRgb, type Rgb } from '../../src/gpus/contrast.ts';

const TOKENS = readFileSync(
  new URL('../../../../libs/visual-identity/src/files/tokens.css', import.meta.url),
  'utf8',
);

/** Returns a color token of the light or the dark theme. */
function token(name: string, theme: 'light' | 'dark'): Rgb {
  const [, light, dark] = new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(TOKENS)!;
  const hex = (theme === 'light' ? light : dark)!;
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as Rgb;
}

describe('text on the cells of the grid', () => {
  it('parses computed colors', () => {
    expect(parseRgb('rgb(12, 20, 32)')).toEqual([12, 20, 32]);
  });

  it('blends a color with the one under it', () => {
    expect(blend([200, 100, 0], [100, 100, 100], 0.5)).toEqual([150, 100, 50]);
  });

  it('has the contrast ratio of WCAG', () => {
    expect(contrast([255, 255, 255], [0, 0, 0])).toBeCloseTo(21);
    expect(contrast([119, 119, 119], [255, 255, 255])).toBeCloseTo(4.48, 2);
  });

  it.each(['light', 'dark'] as const)('is readable at every opacity in the %s theme', (theme) => {
    const [ink, paper] = [token('ink', theme), token('paper', theme)];
    for (const color of ['healthy', 'critical']) {
      for (let opacity = 0.1; opacity <= 1; opacity += 0.01) {
        const cell = blend(token(color, theme), paper, opacity);
        expect(contrast(moreReadable(ink, paper, cell), cell)).toBeGreaterThan(3.5);
      }
    }
  });
});
