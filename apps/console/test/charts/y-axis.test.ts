import { rangeOf, tickLabels, ticksOf } from '../../src/charts/y-axis.ts';

describe('the y axis of a time chart', () => {
  it('keeps a step with two multiples or more in the range', () => {
    expect(ticksOf(0, 100, 50)).toEqual([0, 50, 100]);
  });

  it('takes a smaller step when the range has fewer than two multiples', () => {
    expect(ticksOf(41, 49, 20)).toEqual([42, 44, 46, 48]);
    expect(ticksOf(41, 59, 50)).toEqual([45, 50, 55]);
  });

  it.each([
    [0, 0],
    [61.2, 61.2],
    [0.0012, 0.0014],
    [-0.02, 0.01],
    [1_399, 1_401],
    [0, 98_765_432],
  ])('has at least two different labels for values from %d to %d', (min, max) => {
    const [low, high] = rangeOf(min, max);
    const labels = tickLabels(ticksOf(low, high, (high - low) * 3));
    expect(labels.length).toBeGreaterThanOrEqual(2);
    expect(labels.length).toBeLessThanOrEqual(6);
    expect(new Set(labels).size).toBe(labels.length);
  });

  it('labels steps below 1 without the error of binary fractions', () => {
    expect(tickLabels(ticksOf(0, 0.4, 0.1))).toEqual(['0', '0.1', '0.2', '0.3', '0.4']);
    expect(tickLabels([0, 2.5, 5])).toEqual(['0', '2.5', '5']);
  });
});
