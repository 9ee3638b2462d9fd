import { DAY_MS, HOUR_MS } from '@gpu-observatory/domain-types';
import fc from 'fast-check';
import { boundaryBefore, COUNT_GRAINS, countSpans } from '../../src/api/alerts/counts/count-spans.ts';

const at = (text: string) => Date.parse(text);
const moment = fc
  .date({ min: new Date('2025-01-01'), max: new Date('2027-12-31'), noInvalidDate: true })
  .map(Number);
const length = fc.oneof(fc.nat(2 * HOUR_MS), fc.nat(800 * DAY_MS));

it('uses only months for a window of whole months', () => {
  const window = { fromMs: at('2026-01-01T00:00:00Z'), toMs: at('2026-04-01T00:00:00Z') };
  expect(countSpans(window, COUNT_GRAINS)).toEqual([{ ...window, grain: 'month', sign: 1 }]);
});

it('subtracts the part of a boundary bucket outside of the window', () => {
  const window = { fromMs: at('2026-01-03T00:00:00Z'), toMs: at('2026-04-01T01:00:00Z') };
  expect(countSpans(window, COUNT_GRAINS)).toEqual([
    { grain: 'month', sign: 1, fromMs: at('2026-01-01T00:00:00Z'), toMs: at('2026-04-01T00:00:00Z') },
    { grain: 'day', sign: -1, fromMs: at('2026-01-01T00:00:00Z'), toMs: at('2026-01-03T00:00:00Z') },
    { grain: 'hour', sign: 1, fromMs: at('2026-04-01T00:00:00Z'), toMs: at('2026-04-01T01:00:00Z') },
  ]);
});

it('covers each moment of the window exactly once with few spans, of whole buckets or within one', () => {
  fc.assert(
    fc.property(moment, length, moment, fc.nat(COUNT_GRAINS.length), (fromMs, lengthMs, probeMs, n) => {
      const toMs = fromMs + lengthMs;
      const grains = COUNT_GRAINS.slice(0, n);
      const finest = grains.at(-1);
      const spans = countSpans({ fromMs, toMs }, grains);
      for (const ms of [probeMs, fromMs, fromMs - 1, toMs - 1, toMs]) {
        const times = spans
          .filter((span) => ms >= span.fromMs && ms < span.toMs)
          .reduce((sum, { sign }) => sum + sign, 0);
        expect(times).toBe(ms >= fromMs && ms < toMs ? 1 : 0);
      }
      expect(spans.length).toBeLessThanOrEqual(9);
      for (const { grain, fromMs: begin, toMs: end } of spans) {
        if (grain !== 'row')
          expect([boundaryBefore(begin, grain), boundaryBefore(end, grain)]).toEqual([begin, end]);
        else if (finest !== undefined)
          expect(boundaryBefore(end - 1, finest)).toBe(boundaryBefore(begin, finest));
      }
    }),
    { numRuns: 2_000 },
  );
});
