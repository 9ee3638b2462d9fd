import { placeAtEnd } from '../../src/gpus/place-at-end.ts';

const STEP_MS = 1_800_000;
const END_MS = Date.parse('2026-11-25T12:00:00Z');
const FOUR_INTERVALS = { endMs: END_MS, stepMs: STEP_MS, count: 4 };

describe('placing values of which only the end is known', () => {
  it('puts the last value in the interval of the last report', () => {
    const { times, values, gapCount } = placeAtEnd([10, 20], END_MS - STEP_MS + 60_000, FOUR_INTERVALS);
    expect(values).toEqual([null, 10, 20, null]);
    expect(times.at(-1)).toBe(END_MS / 1_000);
    expect(gapCount).toBe(1);
  });

  it('drops values before the first interval, so that a gap at the end stays', () => {
    const { values } = placeAtEnd([10, 20, 30], END_MS - 2 * STEP_MS, FOUR_INTERVALS);
    expect(values).toEqual([20, 30, null, null]);
  });

  it('has no gap for a GPU that reports all the time', () => {
    const { values, gapCount } = placeAtEnd([10, 20, 30, 40, 50], END_MS + 60_000, FOUR_INTERVALS);
    expect(values).toEqual([20, 30, 40, 50]);
    expect(gapCount).toBe(0);
  });

  it('does not count the current interval as a gap, because it has not ended', () => {
    const { values, gapCount } = placeAtEnd([10, 20, 30, 40], END_MS - 1, FOUR_INTERVALS);
    expect(values).toEqual([20, 30, 40, null]);
    expect(gapCount).toBe(0);
  });

  it('has only gaps when the last report is before the first interval', () => {
    expect(placeAtEnd([10], END_MS - 9 * STEP_MS, FOUR_INTERVALS).values).toEqual([null, null, null, null]);
  });
});
