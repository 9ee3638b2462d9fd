import { ALERT_TYPES } from '@gpu-observatory/domain-types';
import { ALERT_TYPE_TITLES } from '../../src/data/alert-type-titles.ts';
import {
  alertTypeTitle,
  formatClock,
  formatColumn,
  formatDateTime,
  formatExact,
  formatMeasure,
  zoneName,
} from '../../src/data/format.ts';

test.each([
  [null, 'no data'],
  [0, '0 kWh'],
  [0.0456, '0.046 kWh'],
  [-12.34, '-12.3 kWh'],
  [999.94, '999.9 kWh'],
  [85_579.9, '85,580 kWh'],
])('a measure of %s is "%s"', (value, text) => {
  expect(formatMeasure(value, 'kWh')).toBe(text);
});

describe('names of alert types', () => {
  it('exist for every type of the contract, and for no other', () => {
    expect(Object.keys(ALERT_TYPE_TITLES).sort()).toEqual([...ALERT_TYPES].sort());
  });

  it('are different words of letters and spaces', () => {
    const titles = ALERT_TYPES.map(alertTypeTitle);
    expect(new Set(titles).size).toBe(ALERT_TYPES.length);
    for (const title of titles) expect(title).toMatch(/^[A-Z][A-Za-z ]+$/);
    expect(alertTypeTitle('controlplane_slo')).toBe('Control plane SLO');
    expect(alertTypeTitle('controlplane_kcm')).toBe('Kubernetes controller manager');
  });

  it('of a newer service are made of the parts of the type', () => {
    expect(alertTypeTitle('gpu_new_thing')).toBe('Gpu new thing');
    expect(alertTypeTitle('constructor')).toBe('Constructor');
  });
});

it('numbers of a column have one decimal each', () => {
  expect([49, 0.16, 1_234.56, null].map((value) => formatColumn(value, '%'))).toEqual([
    '49.0 %',
    '0.2 %',
    '1,234.6 %',
    'no data',
  ]);
});

describe('times', () => {
  const winter = Date.parse('2026-01-15T23:30:05Z');
  const summer = Date.parse('2026-07-15T23:30:05Z');
  afterEach(() => {
    jest.restoreAllMocks();
  });

  /** Takes the place of the zone of the machine: minutes to UTC, in winter and in summer. */
  function useOffsets(inWinter: number, inSummer = inWinter): void {
    jest.spyOn(Date.prototype, 'getTimezoneOffset').mockImplementation(function (this: Date) {
      return this.getUTCMonth() < 3 ? inWinter : inSummer;
    });
  }

  it('have the offset of the local zone at that time', () => {
    useOffsets(300, 240);
    expect(formatExact(winter, 'local')).toBe('2026-01-15 18:30:05 UTC-5');
    expect(formatExact(summer, 'local')).toBe('2026-07-15 19:30:05 UTC-4');
    useOffsets(-60);
    expect(formatExact(winter, 'local')).toBe('2026-01-16 00:30:05 UTC+1');
    useOffsets(0);
    expect(formatExact(winter, 'local')).toBe('2026-01-15 23:30:05 UTC');
  });

  it('have UTC if the user chose it', () => {
    useOffsets(300);
    expect(formatExact(winter, 'utc')).toBe('2026-01-15 23:30:05 UTC');
  });

  it('without a date have the zone too', () => {
    useOffsets(-330);
    expect(formatClock(winter, 'local')).toBe('05:00:05 UTC+5:30');
    expect(formatDateTime(winter, 'local')).toBe('2026-01-16 05:00:05');
    expect(zoneName(winter, 'local')).toBe('UTC+5:30');
  });
});
