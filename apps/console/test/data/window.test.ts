import {
  previousWindow,
  relativeWindowOf,
  resolveWindow,
  windowMsOf,
  windowName,
  withWindow,
} from '../../src/data/window.ts';

const NOW = Date.parse('2026-11-25T12:34:56Z');
const HOUR_MS = 3_600_000;

describe('a relative window', () => {
  it.each([
    ['90m', 1.5 * HOUR_MS, '90 minutes'],
    ['1h', HOUR_MS, '1 hour'],
    ['24h', 24 * HOUR_MS, '24 hours'],
    ['7d', 168 * HOUR_MS, '7 days'],
    ['2w', 336 * HOUR_MS, '2 weeks'],
  ])('%s has a length and a name', (text, ms, name) => {
    expect([windowMsOf(text), windowName(text)]).toEqual([ms, name]);
  });

  it.each([undefined, '', '0h', '-1h', '1.5h', '24', 'h', '24H', '99999w'])('is not %s', (text) => {
    expect(windowMsOf(text)).toBeUndefined();
    expect(relativeWindowOf({ window: text })).toBeUndefined();
  });

  it('begins at a whole step before now and has no end', () => {
    expect(resolveWindow({ window: '24h' }, NOW)).toEqual({ from: '2026-11-24T12:34:00.000Z' });
    expect(resolveWindow({ window: '24h' }, NOW, HOUR_MS)).toEqual({ from: '2026-11-24T12:00:00.000Z' });
  });

  it('has priority over exact times', () => {
    const search = { window: '1h', from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' };
    expect(resolveWindow(search, NOW)).toEqual({ from: '2026-11-25T11:34:00.000Z' });
  });
});

describe('exact times', () => {
  it('stay as they are, also next to an invalid relative window', () => {
    const times = { from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z' };
    expect(resolveWindow(times, NOW)).toEqual(times);
    expect(resolveWindow({ ...times, window: 'soon' }, NOW)).toEqual(times);
    expect(resolveWindow({}, NOW)).toEqual({});
  });

  it('replace a relative window', () => {
    const search = withWindow({ window: '1h', severity: 'high' }, { from: '2026-11-01T00:00:00Z' });
    expect(search).toEqual({
      severity: 'high',
      window: undefined,
      from: '2026-11-01T00:00:00Z',
      to: undefined,
    });
  });
});

describe('the period before', () => {
  it('has the same length and ends where the window begins', () => {
    const day = { from: '2026-11-24T00:00:00Z', to: '2026-11-25T00:00:00Z' };
    expect(previousWindow(day, NOW)).toEqual({
      from: '2026-11-23T00:00:00.000Z',
      to: '2026-11-24T00:00:00.000Z',
    });
  });

  it('of an open window counts up to the current minute', () => {
    expect(previousWindow({ from: '2026-11-25T11:30:00Z' }, NOW)).toEqual({
      from: '2026-11-25T10:26:00.000Z',
      to: '2026-11-25T11:30:00.000Z',
    });
    expect(previousWindow(resolveWindow({ window: '24h' }, NOW), NOW)).toEqual({
      from: '2026-11-23T12:34:00.000Z',
      to: '2026-11-24T12:34:00.000Z',
    });
  });

  it.each([
    [{}],
    [{ to: '2026-11-25T00:00:00Z' }],
    [{ from: 'soon' }],
    [{ from: '2026-11-25T00:00:00Z', to: 'later' }],
    [{ from: '2026-11-25T00:00:00Z', to: '2026-11-25T00:00:00Z' }],
  ])('does not exist for %j', (window) => {
    expect(previousWindow(window, NOW)).toBeUndefined();
  });
});
