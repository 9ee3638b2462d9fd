/** Red, green and blue, 0 to 255. */
export type Rgb = [number, number, number];

/** Parses the form of computed colors: `rgb(12, 20, 32)`. */
export function parseRgb(color: string): Rgb {
  const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).map(Number);
  return [red, green, blue];
}

/** Returns a color drawn over another one with an opacity from 0 to 1. */
export function blend(over: Rgb, under: Rgb, opacity: number): Rgb {
  return over.map((channel, n) => channel * opacity + (under[n] as number) * (1 - opacity)) as Rgb;
}

/** Returns the color with the higher contrast to a background (WCAG 2.2, contrast ratio). */
export function moreReadable(first: Rgb, second: Rgb, background: Rgb): Rgb {
  return contrast(first, background) >= contrast(second, background) ? first : second;
}

export function contrast(a: Rgb, b: Rgb): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

function luminance(color: Rgb): number {
  const [red, green, blue] = color.map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
