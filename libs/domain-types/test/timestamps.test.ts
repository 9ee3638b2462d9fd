import fc from 'fast-check';
import { formatTimestamp, parseTimestamp } from '../src/index.ts';

describe('parseTimestamp', () => {
  it.each([
    ['2026-11-21T00:00:00Z', '2026-11-21T00:00:00.000Z'],
    ['2026-11-21t00:00:00z', '2026-11-21T00:00:00.000Z'],
    ['2026-11-21T02:30:00.5+02:30', '2026-11-21T00:00:00.500Z'],
    ['2026-11-20T19:00:00-05:00', '2026-11-21T00:00:00.000Z'],
    ['2026-11-21T00:00:00.123999Z', '2026-11-21T00:00:00.123Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
    ['1965-06-30T19:59:60-04:00', '1965-07-01T00:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ])('parses %s', (text, expected) => {
    expect(parseTimestamp(text)?.toISOString()).toBe(expected);
  });

  it.each([
    '',
    '2026-11-21',
    '2026-11-21T00:00:00',
    '2026-11-21 00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-06-31T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '2026-11-21T24:00:00Z',
    '2026-11-21T00:60:00Z',
    '2026-11-21T12:30:60Z',
    '1965-06-30T23:59:60-04:00',
    '2026-11-21T00:00:00+24:00',
    '12026-11-21T00:00:00Z',
    '+012026-11-21T00:00:00Z',
    '9999-12-31T23:59:59-01:00',
    '0000-01-01T00:00:00+01:00',
    ' 2026-11-21T00:00:00Z',
    '2026-11-21T00:00:00Z\n',
    '1763683200000',
  ])('rejects %j', (text) => {
    expect(parseTimestamp(text)).toBeNull();
  });

  it.each([
    ['2026-11-21T00:00:00.1230Z', '2026-11-21T00:00:00.123Z'],
    ['2026-11-21T00:00:00.1230001Z', '2026-11-21T00:00:00.124Z'],
    ['2026-11-21T23:59:59.999999Z', '2026-11-22T00:00:00.000Z'],
  ])('rounds %s up to the next millisecond on request', (text, expected) => {
    expect(parseTimestamp(text, 'up')?.toISOString()).toBe(expected);
  });

  it('parses every timestamp that formatTimestamp returns', () => {
    const years0to9999 = { min: new Date('0000-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59.999Z') };
    fc.assert(
      fc.property(fc.date({ ...years0to9999, noInvalidDate: true }), (instant) => {
        expect(parseTimestamp(formatTimestamp(instant))).toEqual(instant);
      }),
    );
  });
});
