import { dayWindowOf } from '../../src/metrics/day-window.ts';

const NOW = Date.parse('2026-11-25T12:00:00Z');
const midnight = (date: string) => `${date}T00:00:00.000Z`;

describe('the days of the metrics', () => {
  it('are 90 with today by default', () => {
    expect(dayWindowOf({}, NOW, false)).toMatchObject({
      window: { from: midnight('2026-08-28'), to: midnight('2026-11-26') },
      hasToday: true,
    });
  });

  it('end with today in a relative window', () => {
    expect(dayWindowOf({ window: '7d' }, NOW, false)).toEqual({
      window: { from: midnight('2026-11-19'), to: midnight('2026-11-26') },
      before: undefined,
      endMs: Date.parse('2026-11-26T00:00:00Z'),
      hasToday: true,
    });
  });

  it('end with yesterday when they are compared, because today is incomplete', () => {
    expect(dayWindowOf({ window: '7d' }, NOW, true)).toEqual({
      window: { from: midnight('2026-11-18'), to: midnight('2026-11-25') },
      before: { from: midnight('2026-11-11'), to: midnight('2026-11-18') },
      endMs: Date.parse('2026-11-25T00:00:00Z'),
      hasToday: false,
    });
  });

  it('are whole days of exact times', () => {
    const search = { from: '2026-11-02T10:00:00Z', to: '2026-11-04T01:00:00Z' };
    expect(dayWindowOf(search, NOW, true)).toMatchObject({
      window: { from: midnight('2026-11-02'), to: midnight('2026-11-05') },
      before: { from: midnight('2026-10-30'), to: midnight('2026-11-02') },
      hasToday: false,
    });
  });

  it('leave out the future', () => {
    const search = { from: '2026-11-24T10:00:00Z', to: '2026-12-24T00:00:00Z' };
    expect(dayWindowOf(search, NOW, false).window).toEqual({
      from: midnight('2026-11-24'),
      to: midnight('2026-11-26'),
    });
  });

  it('leave invalid times to the service, which rejects them', () => {
    expect(dayWindowOf({ from: 'soon' }, NOW, true)).toMatchObject({
      window: { from: 'soon' },
      before: undefined,
    });
  });
});
