import { readFileSync } from 'node:fs';

const css = readFileSync(new URL('../../src/assets/files/site.css', import.meta.url), 'utf8');
/** Each named colour by day and by night. */
const colours = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)].map(
    ([, name, day, night]) => [name as string, [day as string, night as string] as const],
  ),
);

/** WCAG 2.2, relative luminance. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

// The audit in a browser sees no contrast where a shadow lies on the ground: code and tables.
describe.each(['paper', 'panel'])('on %s', (ground) => {
  it.each(['ink', 'quiet', 'link', 'critical', 'code-word', 'code-text', 'code-value', 'code-name'])(
    'words in %s are readable by day and by night (WCAG 1.4.3)',
    (name) => {
      for (const time of [0, 1] as const) {
        const [word, behind] = [colours.get(name)?.[time] ?? '', colours.get(ground)?.[time] ?? ''];
        expect(contrast(word, behind)).toBeGreaterThanOrEqual(4.5);
      }
    },
  );
});
