/** Smallest range of the y axis, as a part of the largest value: in a smaller one, noise looks like an event. */
const MIN_SPAN = 0.2;

/** Returns the range of a y axis for values between two numbers; uPlot passes null without values. */
export function rangeOf(min: number | null, max: number | null): [number, number] {
  if (min === null || max === null) return [0, 1];
  const center = (min + max) / 2;
  const span = Math.max((max - min) * 1.1, Math.abs(max) * MIN_SPAN) || 1;
  const low = center - span / 2;
  return min >= 0 && low < 0 ? [0, span] : [low, low + span];
}

/**
 * Returns the ticks of a y axis: the multiples of a step. A step with fewer than two multiples in the range is replaced
 * by a smaller one, because a single label gives no scale.
 */
export function ticksOf(min: number, max: number, step: number): number[] {
  const ticks = multiplesOf(step, min, max);
  return ticks.length >= 2 ? ticks : multiplesOf(roundStep((max - min) / 2), min, max);
}

function multiplesOf(step: number, min: number, max: number): number[] {
  const first = Math.ceil(min / step);
  const count = Math.max(0, Math.floor(max / step) - first + 1);
  return Array.from({ length: count }, (_unused, n) => (first + n) * step);
}

/** Returns the largest of 1, 2 and 5 times a power of ten that is not larger than a number. */
function roundStep(largest: number): number {
  const power = 10 ** Math.floor(Math.log10(largest));
  return power * ([5, 2].find((factor) => factor * power <= largest) ?? 1);
}

/** Returns the labels of ticks, with as many decimals as differ between them. */
export function tickLabels(ticks: number[]): string[] {
  const [first = 0, second = first + 1] = ticks;
  // One decimal more than the power of ten of the step, for steps of 2.5.
  const decimals = Math.max(0, Math.ceil(-Math.log10(second - first))) + 1;
  const format = new Intl.NumberFormat('en-US', { maximumFractionDigits: decimals });
  return ticks.map((tick) => format.format(tick));
}
