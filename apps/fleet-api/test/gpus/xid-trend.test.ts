import { xidTrend } from '../../src/api/gpus/gpu-detail.ts';

it.each([
  [0, 0, 'flat'],
  [1, 0, 'flat'],
  [2, 0, 'rising'],
  [0, 1, 'flat'],
  [0, 2, 'falling'],
  [12, 10, 'flat'],
  [13, 10, 'rising'],
  [8, 10, 'flat'],
  [7, 10, 'falling'],
  [120, 100, 'flat'],
  [79, 100, 'falling'],
] as const)('%i events after %i before are %s', (recent, before, trend) => {
  expect(xidTrend(recent, before)).toBe(trend);
});
