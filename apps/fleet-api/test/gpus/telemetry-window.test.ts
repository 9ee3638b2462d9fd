import { telemetryWindow } from '../../src/api/gpus/telemetry-window.ts';
import { type Series, seriesOf } from '../../src/model/gpu-days/read-telemetry.sql.ts';

const NOW = Date.parse('2026-11-21T10:07:00Z');

function window(from?: string, to?: string): [from: string, to: string, series: Series] {
  const { fromMs, toMs } = telemetryWindow({ from, to }, NOW);
  return [new Date(fromMs).toISOString(), new Date(toMs).toISOString(), seriesOf({ fromMs, toMs })];
}

it('defaults to the last 24 hours, with the whole half hours at both ends', () => {
  expect(window()).toEqual([
    '2026-11-20T10:00:00.000Z',
    '2026-11-21T10:30:00.000Z',
    'halfHoursWithDoubleFirst',
  ]);
  expect(window()).toEqual(window('2026-11-20T10:07:00Z', '2026-11-21T10:07:00Z'));
});

it('defaults the end to now, and the start to a day before the end', () => {
  expect(window('2026-11-21T09:00:00Z')).toEqual([
    '2026-11-21T09:00:00.000Z',
    '2026-11-21T10:30:00.000Z',
    'halfHours',
  ]);
  expect(window(undefined, '2026-11-01T00:00:00Z')).toEqual([
    '2026-10-31T00:00:00.000Z',
    '2026-11-01T00:00:00.000Z',
    'halfHours',
  ]);
});

it('widens a window to whole half hours, except an empty one', () => {
  expect(window('2026-11-20T01:14:00Z', '2026-11-20T01:17:00Z')).toEqual([
    '2026-11-20T01:00:00.000Z',
    '2026-11-20T01:30:00.000Z',
    'halfHours',
  ]);
  const [from, to] = window('2026-11-20T01:14:00Z', '2026-11-20T01:14:00Z');
  expect(from).toBe(to);
});

it('has wide buckets for more than 49 half hours', () => {
  expect(window('2026-11-20T00:00:00Z', '2026-11-21T00:00:00Z')[2]).toBe('halfHours');
  expect(window('2026-08-23T00:00:00Z', '2026-11-21T00:00:00Z')[2]).toBe('wide');
});

it('rejects an end before the start', () => {
  expect(() => window('2026-11-20T00:00:00.001Z', '2026-11-20T00:00:00Z')).toThrow(
    'from (2026-11-20T00:00:00.001Z) must not be later than to (2026-11-20T00:00:00Z).',
  );
});
