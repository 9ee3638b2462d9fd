import { TOKENS_CSS as css } from '@gpu-observatory/visual-identity';

/** Named colors in light and dark mode. */
const colors = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)].map(
    ([, name, light, dark]) => [name as string, [light as string, dark as string] as const],
  ),
);

/** Relative luminance, see https://www.w3.org/TR/WCAG22/#dfn-relative-luminance. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: string, b: string): number {
  const [lighter = 0, darker = 0] = [luminance(a), luminance(b)].sort((low, high) => high - low);
  return (lighter + 0.05) / (darker + 0.05);
}

// axe cannot measure contrast on backgrounds with a gradient, which code and tables have.
describe.each(['paper', 'panel'])('on %s', (surface) => {
  it.each(['ink', 'quiet', 'link', 'critical', 'code-word', 'code-text', 'code-value', 'code-name'])(
    'text in %s has a contrast of at least 4.5 in light and dark mode (WCAG 1.4.3)',
    (name) => {
      for (const mode of [0, 1] as const) {
        const [text, background] = [colors.get(name)?.[mode] ?? '', colors.get(surface)?.[mode] ?? ''];
        expect(contrast(text, background)).toBeGreaterThanOrEqual(4.5);
      }
    },
  );
});
