import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type HealthSignal,
  signalEnd,
  addMs,
  mergedByRule,
  mergeSignal,
} from '../../src/model/health/health-signal.ts';
import { type GpuHealthState, observeSample } from '../../src/model/health/observe-sample.ts';
import { observeReset, observeXid, removeProvisional } from '../../src/model/health/observe-xid.ts';
import type { BoardLimits, HealthReadings } from '../../src/model/health/sample-rules.ts';
import { XidCatalog } from '../../src/model/health/xid-catalog.ts';
import { numberedRows, readPage } from '../support/documentation.ts';
import { minutesAgo } from '../support/records.ts';
import fc from 'fast-check';

const BOARD: BoardLimits = {
  slowdownTemperatureC: 87,
  shutdownTemperatureC: 92,
  memoryTemperatureLimitC: 95,
  reportIntervalSeconds: 60,
};
const XIDS = XidCatalog.read();
const START = '2026-11-21T08:00:00.000Z';
const minute = (n: number) => addMs(START, n * 60_000);

/** Observes samples, one a minute or at the minutes given. */
function observe(readings: (HealthReadings | [number, HealthReadings])[], board: Partial<BoardLimits> = {}) {
  let state: GpuHealthState = { state: {}, signals: [] };
  const events: [number, number][] = [];
  readings.forEach((entry, index) => {
    const [n, reading] = Array.isArray(entry) ? entry : [index, entry];
    const observed = observeSample(XIDS, state, { ...reading, at: minute(n) }, { ...BOARD, ...board });
    state = JSON.parse(JSON.stringify(observed.state)) as GpuHealthState; // As stored in the database.
    if (observed.xidCode !== null) events.push([n, observed.xidCode]);
  });
  return { ...state, events };
}
const health = (signals: readonly HealthSignal[], at: string) =>
  (signalEnd(signals, 'critical') ?? '') > at
    ? 'critical'
    : (signalEnd(signals, 'degraded') ?? '') > at
      ? 'degraded'
      : 'healthy';
const rules = (signals: readonly HealthSignal[]) => signals.map(({ rule }) => rule);

describe('a rule applies to', () => {
  test.each<[string, 'critical' | 'degraded', HealthReadings, HealthReadings]>([
    ['ecc_double_bit', 'critical', { ecc_double_bit_total: 3 }, { ecc_double_bit_total: 4 }],
    ['source_verdict', 'critical', {}, { source_health: 'critical', source_verdict: 'reset GPU' }],
    ['source_verdict', 'degraded', { source_health: 'healthy' }, { source_health: 'degraded' }],
    ['row_remap_failed', 'critical', {}, { row_remap_failed: true }],
    ['temperature_near_shutdown', 'critical', {}, { temperature_c: 89 }],
    ['row_remap_pending', 'degraded', {}, { row_remap_pending: true }],
    ['nvlink_errors', 'degraded', { nvlink_errors_total: 0 }, { nvlink_errors_total: 1 }],
    ['pcie_replays', 'degraded', { pcie_replays_total: 7 }, { pcie_replays_total: 9 }],
    ['rows_remapped', 'degraded', { remapped_rows_total: 1 }, { remapped_rows_total: 2 }],
    ['memory_temperature', 'degraded', {}, { memory_temperature_c: 95 }],
    ['temperature_slowdown', 'degraded', {}, { temperature_c: 87 }],
    ['critical_xid', 'critical', { xid_last_code: 0 }, { xid_last_code: 79 }],
    ['degrading_xid', 'degraded', { xid_last_code: 0 }, { xid_last_code: 63 }],
  ])('%s, immediately', (rule, expected, before, now) => {
    const { signals } = observe([before, now]);
    expect(rules(signals)).toContain(rule);
    expect(health(signals, minute(1))).toBe(expected);
    expect(signals.find((fact) => fact.rule === rule)?.evidence).toMatch(/\w/);
    expect(rules(observe([before]).signals)).toEqual([]);
  });

  test.each<[string, HealthReadings[]]>([
    [
      'a counter that is seen for the first time',
      [{ ecc_double_bit_total: 5, pcie_replays_total: 5, nvlink_errors_total: 5, remapped_rows_total: 5 }],
    ],
    ['a counter that was reset with the driver', [{ ecc_double_bit_total: 5 }, { ecc_double_bit_total: 2 }]],
    [
      'a counter that was blank for a while',
      [{ pcie_replays_total: 5 }, { pcie_replays_total: null }, { pcie_replays_total: 5 }],
    ],
    ['a temperature below its limits', [{ temperature_c: 86.9, memory_temperature_c: 94 }]],
    [
      'XIDs of applications',
      [{ xid_last_code: 0 }, { xid_last_code: 31 }, { xid_last_code: 43 }, { xid_last_code: 45 }],
    ],
    ['an unknown XID', [{ xid_last_code: 0 }, { xid_last_code: 9999 }]],
  ])('not to %s', (_case, readings) => {
    expect(observe(readings).signals).toEqual([]);
  });

  test('ignores the temperature of a board without limits', () => {
    expect(
      observe([{ temperature_c: 120 }], { slowdownTemperatureC: null, shutdownTemperatureC: null }).signals,
    ).toEqual([]);
  });
});

describe('recovers after ten minutes', () => {
  test('from the last bad reading', () => {
    const { signals } = observe([{ temperature_c: 90 }, { temperature_c: 40 }, { temperature_c: 40 }]);
    expect(health(signals, addMs(minute(10), -1))).toBe('critical');
    expect(health(signals, minute(10))).toBe('healthy');
  });

  test('a bad reading restarts them', () => {
    const { signals } = observe([
      [0, { temperature_c: 90 }],
      [9, { temperature_c: 90 }],
      [10, { temperature_c: 40 }],
    ]);
    expect(health(signals, minute(18))).toBe('critical');
    expect(health(signals, minute(19))).toBe('healthy');
    expect(signals.find(({ rule }) => rule === 'temperature_near_shutdown')).toMatchObject({
      since: minute(0),
      evidenceAt: minute(9),
    });
  });

  test('from a verdict that was critical and is degraded, which applies at once', () => {
    const { signals } = observe([
      { source_health: 'critical', source_verdict: 'reset GPU' },
      { source_health: 'degraded', source_verdict: 'drain' },
      { source_health: 'degraded', source_verdict: 'drain' },
    ]);
    expect(signals).toMatchObject([
      { health: 'critical', evidence: 'reset GPU', since: minute(0), until: minute(10) },
      { health: 'degraded', evidence: 'drain', since: minute(1), until: minute(12) },
    ]);
  });

  test('with rare reports, applies until the next one and ten minutes more', () => {
    const rare = { reportIntervalSeconds: 900 };
    expect(health(observe([[0, { row_remap_failed: true }]], rare).signals, minute(14))).toBe('critical');
    const { signals } = observe(
      [
        [0, { row_remap_failed: true }],
        [15, { row_remap_failed: false }],
      ],
      rare,
    );
    expect(health(signals, minute(24))).toBe('critical');
    expect(health(signals, minute(25))).toBe('healthy');
    // A report without that reading does not change the signal.
    const silent = observe(
      [
        [0, { row_remap_failed: true }],
        [15, { temperature_c: 40 }],
      ],
      rare,
    );
    expect(health(silent.signals, minute(30))).toBe('critical');
  });
});

describe('throttling', () => {
  const bursts = (count: number, mask: number, apart = 0.5): [number, HealthReadings][] =>
    Array.from({ length: count * 2 + 1 }, (_unused, n) => [
      n * apart,
      { throttle_reasons: n % 2 === 0 ? 0 : mask },
    ]);

  test.each([0x8, 0x20, 0x40, 0x80, 0x48, 0x1_0000_0008])('six times in ten minutes by 0x%s', (mask) => {
    expect(rules(observe(bursts(5, mask)).signals)).toEqual([]);
    expect(rules(observe(bursts(6, mask)).signals)).toEqual(['throttling']);
  });
  test.each([0x1, 0x2, 0x4, 0x10, 0x100])('reason %s has no effect', (mask) => {
    expect(observe(bursts(20, mask)).signals).toEqual([]);
  });
  test('six times in more than ten minutes, or once for long, has no effect', () => {
    expect(observe(bursts(6, 0x8, 1.1)).signals).toEqual([]);
    expect(observe(Array.from({ length: 9 }, () => ({ throttle_reasons: 8 }))).signals).toEqual([]);
  });
});

describe('XIDs', () => {
  test('a change of the gauge is an event, also the first code; a repeat is not', () => {
    const codes = [31, 31, 79, null, 79, 0, 79, 31];
    expect(observe(codes.map((xid_last_code) => ({ xid_last_code }))).events).toEqual([
      [0, 31],
      [2, 79],
      [6, 79],
      [7, 31],
    ]);
  });

  test('a signal has the time and the action of its XID', () => {
    const { signals } = observe([{ xid_last_code: 0 }, { xid_last_code: 79 }]);
    expect(signals).toMatchObject([{ evidenceAt: minute(1), action: 'restart host' }]);
  });

  test('a critical one expires after 24 hours', () => {
    const { signals } = observe([{ xid_last_code: 0 }, { xid_last_code: 79 }]);
    expect(health(signals, addMs(minute(1), 24 * 3_600_000 - 1))).toBe('critical');
    expect(health(signals, addMs(minute(1), 24 * 3_600_000))).toBe('healthy');
  });

  test('a reset ends all after ten minutes', () => {
    const { signals, state } = observe([
      [0, { xid_last_code: 79 }],
      [0.5, { xid_last_code: 48 }],
      [1, { xid_last_code: 0 }],
    ]);
    expect(state.resetAt).toBe(minute(1));
    expect(health(signals, addMs(minute(11), -1))).toBe('critical');
    expect(health(signals, minute(11))).toBe('healthy');
  });

  test('a reset ends only earlier XIDs, in any order of arrival', () => {
    const events: [number, number][] = [
      [1, 79],
      [5, 48],
      [9, 95],
      [3, 63],
    ];
    const order = fc.shuffledSubarray([...events, 'reset' as const], { minLength: 5 });
    fc.assert(
      fc.property(order, (arrivals) => {
        let signals: HealthSignal[] = [];
        let resetAt: string | undefined;
        for (const one of arrivals) {
          if (one === 'reset') signals = observeReset(signals, (resetAt = minute(6)));
          else signals = observeXid(XIDS, signals, { at: minute(one[0]), code: one[1] }, resetAt);
        }
        const byRule = new Map(signals.map((fact) => [fact.rule, fact]));
        expect(byRule.get('critical_xid')).toMatchObject({
          evidence: expect.stringMatching(/^XID 95: /),
          until: addMs(minute(9), 24 * 3_600_000),
        });
        expect(byRule.get('degrading_xid')?.until).toBe(minute(16));
      }),
    );
  });

  test('a line of the driver replaces the gauge that shows it, and no other', () => {
    const { signals } = observe([{ xid_last_code: 79 }, { xid_last_code: 149 }, { xid_last_code: 48 }]);
    expect(removeProvisional(signals, { at: minute(4), code: 149 })).toEqual(signals);
    expect(removeProvisional(signals, { at: minute(1), code: 144 })).toEqual(signals);
    for (const at of [addMs(minute(1), -120_000), minute(1), addMs(minute(1), 120_000)])
      expect(removeProvisional(signals, { at, code: 149 }).map(({ since }) => since)).toEqual([
        minute(0),
        minute(2),
      ]);
    expect(mergedByRule(signals)).toEqual([
      {
        rule: 'critical_xid',
        health: 'critical',
        evidence: 'XID 48: Double-bit ECC error (follow the workflow)',
        since: minute(0),
        until: addMs(minute(2), 24 * 3_600_000),
        evidenceAt: minute(2),
        action: 'follow the workflow',
      },
    ]);
  });

  test('a gauge that alternates between codes keeps a bounded number of signals', () => {
    const codes = Array.from({ length: 500 }, (_unused, n) => ({ xid_last_code: n % 2 === 0 ? 79 : 48 }));
    const { signals } = observe(codes);
    expect(signals).toHaveLength(21);
    expect(mergedByRule(signals)).toMatchObject([
      { rule: 'critical_xid', since: minute(0), until: addMs(minute(499), 24 * 3_600_000) },
    ]);
  });

  test('signals of one rule merge in any order', () => {
    const span = fc.record({ start: fc.nat(100), length: fc.integer({ min: 1, max: 20 }) });
    const spansAndOrder = fc
      // Of two signals with the same times, the evidence of the one that arrived last remains.
      .uniqueArray(span, {
        minLength: 1,
        maxLength: 8,
        selector: ({ start, length }) => `${start} ${length}`,
      })
      .chain((spans) =>
        fc.tuple(fc.constant(spans), fc.shuffledSubarray(spans, { minLength: spans.length })),
      );
    const merged = (spans: { start: number; length: number }[]) =>
      spans
        .map(({ start, length }): HealthSignal => ({
          rule: 'critical_xid',
          health: 'critical',
          evidence: `XID at ${start} for ${length}`,
          since: minute(start),
          until: minute(start + length),
          evidenceAt: minute(start),
        }))
        .reduce<HealthSignal[]>(mergeSignal, [])
        .toSorted((a, b) => (a.since < b.since ? -1 : 1));
    fc.assert(
      fc.property(spansAndOrder, ([spans, arrivals]) => {
        expect(merged(arrivals)).toEqual(merged(spans));
      }),
    );
  });

  test('a late XID joins the ones before and after it, without telemetry between them', () => {
    const hours = { first: 0, late: 20, last: 30 };
    const critical = (...arrivals: number[]) =>
      mergedByRule(
        arrivals.reduce<HealthSignal[]>(
          (signals, hour) => observeXid(XIDS, signals, { at: minute(hour * 60), code: 79 }),
          [],
        ),
      );
    expect(critical(hours.first, hours.last)).toMatchObject([{ since: minute(hours.last * 60) }]);
    expect(critical(hours.first, hours.last, hours.late)).toMatchObject([
      { since: minute(hours.first * 60), until: minute((hours.last + 24) * 60) },
    ]);
  });

  test('a GPU without telemetry keeps a bounded number of signals', () => {
    const days = Array.from({ length: 100 }, (_unused, n) => 3 * n);
    const observeDays = (arrivals: number[]) =>
      arrivals.reduce<HealthSignal[]>(
        (signals, day) => observeXid(XIDS, signals, { at: minute(day * 24 * 60), code: 79 }),
        [],
      );
    for (const arrivals of [days, days.toReversed()]) {
      const signals = observeDays(arrivals);
      expect(signals).toHaveLength(30);
      expect(signalEnd(signals, 'critical')).toBe(minute((days.at(-1)! + 1) * 24 * 60));
    }
  });
});

describe('the XID catalog', () => {
  const classes: Record<string, { codes: number[]; health: string | null }> = {
    'restart application': {
      codes: [8, 11, 13, 25, 31, 32, 39, 40, 41, 60, 68, 69, 70, 71, 72],
      health: null,
    },
    ignore: { codes: [37, 38, 43, 44, 66, 67], health: null },
    'reset GPU': {
      codes: [46, 62, 64, 95, 109, 110, 119, 120, 136, 140, 143, 155, 156, 158],
      health: 'critical',
    },
    'follow the workflow': { codes: [48, 74, 144, 145, 146, 147, 148, 149, 150], health: 'critical' },
    'restart host': { codes: [79], health: 'critical' },
    informational: { codes: [45, 154], health: null },
  };
  test.each(Object.entries(classes))('%s', (action, { codes, health: expected }) => {
    for (const code of codes) expect(XIDS.entry(code)).toMatchObject({ action, health: expected });
  });
  test('early warnings and contained errors degrade', () => {
    for (const code of [63, 92, 94]) expect(XIDS.entry(code).health).toBe('degraded');
  });
  test('has each code once, in order, and a default for others', () => {
    const codes = XIDS.entries().map(({ code }) => code);
    expect(codes).toEqual([...new Set(codes)].sort((a, b) => a - b));
    expect(XIDS.entry(142)).toMatchObject({ action: 'contact support', health: null });
    expect(XIDS.entry(9999)).toMatchObject({ action: 'none listed', health: null });
  });
  test.each([
    [149, 'NETIR_BER_EVENT Nonfatal XC0 i0 Link 03 (0x00086226 0x00000001 0x0)', 'ignore', null, 'info'],
    [149, 'NETIR_LINK_EVT  Fatal   XC0 i0 Link 01 (0x021425c6 0x00000000)', 'reset', 'critical', 'high'],
    [149, '', 'double bit or NVLink', 'critical', 'high'],
    [144, 'SAW_MVB Nonfatal XC0 i0 Link 00 (0x00000001 0x00000001)', 'ignore', null, 'info'],
    [145, 'RLW_SRC_TRACK Nonfatal XC1 i0 Link 12 (0x040988e2 0x00000008)', 'follow XID 154', null, 'info'],
    [145, 'RLW_SRC_TRACK Nonfatal XC0 i0 Link 00 (0x00000007 0x00000002)', 'ignore', null, 'info'],
    [145, 'RLW_REMAP Nonfatal XC0 i0 Link 00 (0x00000004 0x00000020)', 'follow XID 154', null, 'info'],
    [145, 'RLW_REMAP Nonfatal XC0 i0 Link 00 (0x00000004 0x00000100)', 'ignore', null, 'info'],
    [145, 'RLW_TAGSTATE Fatal XC0 i0 Link 00 (0x00000008 0x00000002)', 'reset', 'critical', 'high'],
    [150, 'MSE_WATCHDOG Fatal XC0 i0 Link 00 (0x00000000 0x00000000)', 'reset', 'critical', 'high'],
    [
      154,
      'GPU recovery action changed from 0x4 (Drain and Reset) to 0x1 (GPU Reset Required)',
      'reset',
      'critical',
      'high',
    ],
    [
      154,
      'GPU recovery action changed from 0x0 (None) to 0x2 (Node Reboot Required)',
      'restart host',
      'critical',
      'critical',
    ],
    [154, 'GPU recovery action changed from 0x0 (None) to 0x3 (Drain P2P)', 'drain', 'degraded', 'high'],
    [
      154,
      'GPU recovery action changed from 0x0 (None) to 0x4 (Drain and Reset)',
      'drain',
      'degraded',
      'high',
    ],
    [154, 'GPU recovery action changed from 0x1 (GPU Reset Required) to 0x0 (None)', 'ignore', null, 'info'],
    [154, 'GPU recovery action changed from 0x0 (None) to 0x1 (PF FLR)', 'reset', 'critical', 'high'],
    [
      154,
      'GPU recovery action changed from 0x0 (None) to 0x2 (OS Reboot)',
      'restart host',
      'critical',
      'critical',
    ],
    [
      154,
      'GPU recovery action changed from 0x0 (None) to 0x5 (x)',
      'recover IMEX domain',
      'degraded',
      'high',
    ],
    [154, 'GPU recovery action changed from 0x0 (None) to 0x6 (Bus Reset)', 'reset bus', 'critical', 'high'],
    [154, 'GPU recovery action changed from 0x0 (None) to 0x7', 'restart host', 'critical', 'critical'],
    [
      154,
      'GPU recovery action changed from 0x0 (None) to 0x9 (None)',
      'unknown recovery action',
      'degraded',
      'high',
    ],
    [
      154,
      'GPU recovery action changed from None to Node Reboot Required',
      'restart host',
      'critical',
      'critical',
    ],
    [154, 'a text without an action', 'follows another XID', null, 'info'],
  ])('the message of XID %i decides its class: %s', (code, message, class_, health, severity) => {
    expect(XIDS.entry(code, message)).toMatchObject({ class: class_, health, severity });
  });
  test('the evidence of XID 154 has the recovery action in the words of the driver', () => {
    const message = 'GPU recovery action changed from 0x0 (None) to 0x1 (PF FLR)';
    expect(observeXid(XIDS, [], { at: minutesAgo(1), code: 154, message })).toMatchObject([
      {
        rule: 'critical_xid',
        evidence: 'XID 154: GPU Recovery Action Changed: PF FLR (reset GPU)',
      },
    ]);
  });
  test.each([
    [167, 'critical', 'high'],
    [168, 'degraded', 'medium'],
    [169, 'critical', 'high'],
    [171, 'critical', 'critical'],
    [172, 'critical', 'critical'],
  ])('XID %i has no action of NVIDIA, and the effect of a comparable code', (code, health, severity) => {
    expect(XIDS.entry(code)).toMatchObject({ action: 'none listed', health, severity });
  });
  test('no other code affects health', () => {
    const withEffect = [
      ...Object.values(classes).flatMap((one) => one.codes),
      63,
      92,
      94,
      167,
      168,
      169,
      171,
      172,
    ];
    const others = XIDS.entries().filter(({ code }) => !withEffect.includes(code));
    expect(others.length).toBeGreaterThan(0);
    expect(others.filter(({ health }) => health !== null)).toEqual([]);
  });
  test('equals the table of docs/gpu-health.md', () => {
    const rows = numberedRows(readPage('gpu-health.md')).flatMap(([codes = '', ...cells]) =>
      codes.split(', ').flatMap((range) => {
        const [first = NaN, last = first] = range.split('-').map(Number);
        return Array.from({ length: last - first + 1 }, (_unused, n) => ({ code: first + n, cells }));
      }),
    );
    expect(rows.toSorted((one, other) => one.code - other.code)).toEqual(
      XIDS.entries().map((entry) => ({
        code: entry.code,
        cells: [
          // The engines and decoders of one kind share a row, without their number.
          entry.name.replace(/ \d+(?= (?:error|exception)$)/, ''),
          entry.action,
          entry.health ?? '',
          `\`${entry.alert}\``,
          entry.severity,
        ],
      })),
    );
  });

  describe('an operator’s table', () => {
    const folder = mkdtempSync(join(tmpdir(), 'xid-table-'));
    const file = join(folder, 'xids.yaml');
    const own = (text: string) => {
      writeFileSync(file, text);
      return XidCatalog.read(file);
    };
    afterAll(() => rmSync(folder, { recursive: true }));

    test('overrides fields of the built-in catalog', () => {
      const xids = own(
        'xids: { 63: { class: ignore }, 43: { health: degraded, alert: null }, 9999: { class: reset, name: Ours } }',
      );
      expect(xids.entry(63)).toMatchObject({
        name: 'Row remapping or page retirement recorded',
        class: 'ignore',
        action: 'ignore',
        health: null,
        severity: 'info',
      });
      expect(xids.entry(43)).toMatchObject({ class: 'ignore', health: 'degraded', alert: null });
      expect(xids.entry(9999)).toMatchObject({ name: 'Ours', action: 'reset GPU', health: 'critical' });
      expect(observeXid(xids, [], { at: minutesAgo(1), code: 63 })).toEqual([]);
      expect(observeXid(xids, [], { at: minutesAgo(1), code: 43 })).toMatchObject([
        { rule: 'degrading_xid' },
      ]);
    });

    test('an entry applies whatever the message is, unless it has variants', () => {
      const message = 'NETIR_BER_EVENT Nonfatal XC0 i0 Link 03 (0x0 0x1)';
      const xids = own('xids: { 149: { health: degraded } }');
      expect(xids.entry(149, message)).toMatchObject({ health: 'degraded' });
      const withVariants = own('variants: { 149: [{ unit: NETIR_BER_EVENT, class: early warning }] }');
      expect(withVariants.entry(149, message)).toMatchObject({ health: 'degraded', severity: 'medium' });
      expect(() => own('variants: { 149: [{ class: none }] }')).toThrow(/XID 149 has the unknown class none/);
    });

    test.each([
      ['xids: { 63: { severity: huge } }', /xids → 63 → severity: .*"critical"\|"high"/],
      [
        'xids: { 63: { class: unheard of } }',
        /XID 63 has the class unheard of, .* one of application, ignore/,
      ],
      ['xids: { many: { class: ignore } }', /xids → many: an XID must be a number/],
      ['xids: { 63: { helth: null } }', /Unrecognized key: "helth"/],
      ['xids: [', /XID_TABLE_FILE \(.*xids.yaml\) is not YAML/],
    ])('%s is rejected with the reason', (text, reason) => {
      expect(() => own(text)).toThrow(reason);
    });

    test('rejects a missing file', () => {
      expect(() => XidCatalog.read(join(folder, 'none.yaml'))).toThrow(/none.yaml\) cannot be read: ENOENT/);
    });
  });
});
