import fc from 'fast-check';
import { DCGM_FORMAT } from '../../src/importer/formats/dcgm/dcgm-format.ts';
import { importExporterPage } from '../../src/importer/formats/exporters/import-page.ts';
import { importXid } from '../../src/importer/formats/xid/import-xid.ts';
import { useFleetDatabase } from '../support/fleet-database.ts';
import { rowsOf } from '../support/fleet-tables.ts';
import { importBatches, importText } from '../support/import-records.ts';
import { gpuRecord, xidRecord } from '../support/records.ts';

const database = useFleetDatabase();

/** A whole second, so that times are also exact in logs of whole seconds. */
const START = Math.floor(Date.now() / 60_000) * 60_000 - 10 * 3_600_000;
const time = (milliseconds: number) => new Date(START + milliseconds).toISOString();
const UUID = 'GPU-604ac76c-d9cf-fef3-62e9-d92044ab6e52';
let customers = 0;

const ownerOf = (customerId: number) => ({ customerId, workspaceId: 10, apiKeyId: null });
const importLog = (customerId: number, lines: string[]) =>
  importText(
    database.importerUrl,
    lines.join('\n'),
    (job) => importXid(job, { customerId, host: 'node-1', bootTimeMs: null, utcOffsetMinutes: 0 }),
    ownerOf(customerId),
  );
const importGauge = (customerId: number, milliseconds: number, code: number) => {
  const labels = `{UUID="${UUID}",pci_bus_id="00000000:9B:00.0",Hostname="node-1",modelName="NVIDIA H100"}`;
  const page = `DCGM_FI_DEV_GPU_TEMP${labels} 40\nDCGM_FI_DEV_XID_ERRORS${labels} ${code}\n`;
  return importText(
    database.importerUrl,
    page,
    (job) =>
      importExporterPage(job, {
        customerId,
        workspaceId: 10,
        at: new Date(START + milliseconds),
        format: DCGM_FORMAT,
      }),
    ownerOf(customerId),
  );
};
const line = (milliseconds: number, code: number, text = 'pid=7, name=python, it failed') =>
  `${time(milliseconds).replace('Z', '+00:00')} node-1 kernel: NVRM: Xid (PCI:0000:9b:00): ${code}, ${text}`;
const board = `${time(0).replace('Z', '+00:00')} node-1 kernel: NVRM: GPU at PCI:0000:9b:00: ${UUID}`;

async function countsOf(customer: number) {
  const [row] = await rowsOf<Record<string, string>>(
    database.administratorUrl,
    `SELECT (SELECT count(*) FROM fleet.gpu_xid_events WHERE customer_id = $1) AS events,
            (SELECT count(*) FROM fleet.gpu_xid_events WHERE customer_id = $1 AND opens_incident) AS incidents,
            (SELECT coalesce(sum(xid_errors), 0) FROM fleet.metric_days WHERE customer_id = $1 AND scope_kind = 0) AS rollup,
            (SELECT count(*) FROM fleet.alerts WHERE customer_id = $1) AS alerts,
            (SELECT count(*) FROM fleet.alert_timeline_events WHERE customer_id = $1) AS timeline`,
    [customer],
  );
  return Object.fromEntries(Object.entries(row ?? {}).map(([name, n]) => [name, Number(n)]));
}
const oneIncident = (events: number) => ({ events, incidents: 1, rollup: 1, alerts: 1, timeline: events });

describe('a burst of equal XIDs is one incident with one alert', () => {
  const offsets = [0, 3, 3, 9, 12, 16];
  const dmesg = (milliseconds: number) => {
    const [day, date = '', month, year] = new Date(START + milliseconds)
      .toUTCString()
      .replace(',', '')
      .split(' ');
    const clock = time(milliseconds).slice(11, 19);
    return `[${day} ${month} ${String(Number(date)).padStart(2)} ${clock} ${year}] ${line(0, 13).slice(line(0, 13).indexOf('NVRM'))}`;
  };
  test.each<[string, (milliseconds: number) => string]>([
    ['journalctl -o short-iso-precise', (milliseconds) => line(milliseconds, 13)],
    ['journalctl -o short-iso', (milliseconds) => line(Math.floor(milliseconds / 1000) * 1000, 13)],
    ['dmesg -T', dmesg],
  ])('%s', async (_format, of) => {
    const customer = (customers += 1);
    const lines = offsets.map(of);
    await importLog(customer, lines);
    expect(await countsOf(customer)).toEqual(oneIncident(6));
    for (const part of [lines, lines.slice(2), [...lines].reverse()])
      expect(await importLog(customer, part)).toMatchObject({ written: 0, rejected: 0 });
    expect(await countsOf(customer)).toEqual(oneIncident(6));
  });
});

test.each<[string, number[], number]>([
  ['a pause of less than a minute', [0, 59_999, 118_999], 1],
  ['a pause of a minute', [0, 60_000, 120_000], 3],
  ['an hour', Array.from({ length: 140 }, (_unused, n) => n * 30_000), 2],
])('an incident ends after %s', async (_title, offsets, incidents) => {
  const customer = (customers += 1);
  await importLog(
    customer,
    offsets.map((offset) => line(offset, 31)),
  );
  expect(await countsOf(customer)).toMatchObject({ incidents, rollup: incidents, alerts: incidents });
});

describe('DCGM', () => {
  test('a code raises an alert', async () => {
    const customer = (customers += 1);
    await importGauge(customer, 0, 0);
    await importGauge(customer, 60_000, 79);
    await importGauge(customer, 120_000, 79);
    expect(await countsOf(customer)).toEqual(oneIncident(1));
    const [alert] = await rowsOf<{ doc: string; gpu_id: string }>(
      database.administratorUrl,
      'SELECT doc, gpu_id FROM fleet.alerts WHERE customer_id = $1',
      [customer],
    );
    expect({ ...(JSON.parse(alert?.doc ?? '{}') as object), gpu_id: alert?.gpu_id }).toMatchObject({
      gpu_id: UUID,
      title: 'XID 79: GPU has fallen off the bus',
      type: 'gpu_pcie',
      severity: 'critical',
      created_at: time(60_000),
      hostname: 'node-1',
      gpu_model: 'NVIDIA H100',
      workspace_id: 10,
    });
  });

  // Without an interval in the inventory, two scrape intervals are two minutes.
  test.each<[string, number, object]>([
    ['within two scrape intervals', 60_000, { incidents: 1, rollup: 1, alerts: 1, timeline: 3 }],
    ['later', 170_000, { incidents: 2, rollup: 2, alerts: 2, timeline: 3 }],
  ])('and the kernel log %s, in any order of import', async (_title, gaugeAt, expected) => {
    const log = (customer: number) =>
      importLog(customer, [board, line(100, 79), line(20_000, 79, 'pid=8, again')]);
    const gauge = (customer: number) => importGauge(customer, gaugeAt, 79);
    for (const steps of [
      [log, gauge],
      [gauge, log],
      [log, gauge, log, gauge],
    ]) {
      const customer = (customers += 1);
      for (const step of steps) await step(customer);
      expect(await countsOf(customer)).toEqual({ events: 3, ...expected });
    }
  });

  // By its code, an NVLink error is critical for a day; its message may be Nonfatal.
  describe('and a message of the driver that is less severe than the code', () => {
    const nonfatal = 'NETIR_BER_EVENT Nonfatal XC0 i0 Link 03 (0x00086226 0x00000001 0x00000000)';
    const fatal = 'NETIR_LINK_EVT Fatal XC0 i0 Link 01 (0x021425c6 0x00000000)';
    const follows154 = 'RLW_REMAP Nonfatal XC0 i0 Link 00 (0x00000004 0x00000001)';
    const reboot = 'GPU recovery action changed from 0x0 (None) to 0x2 (Node Reboot Required)';
    const log = (...lines: string[]) => {
      const text = [board, ...lines];
      return (customer: number) => importLog(customer, text);
    };
    const gauge = (milliseconds: number, code: number) => (customer: number) =>
      importGauge(customer, milliseconds, code);
    const stateOf = async (customer: number) => {
      const [gpu] = await rowsOf<object>(
        database.administratorUrl,
        `SELECT critical_until, crash_chain_at, jsonb_array_length(health_signals) AS signals
         FROM fleet.gpus WHERE customer_id = $1`,
        [customer],
      );
      const alerts = await rowsOf<{ severity: number; title: string }>(
        database.administratorUrl,
        'SELECT severity, title FROM fleet.alerts WHERE customer_id = $1 ORDER BY severity, title',
        [customer],
      );
      return { ...gpu, alerts: alerts.map(({ severity, title }) => `${severity} ${title}`) };
    };
    const IGNORED = '4 XID 149: NVLink: NETIR Error: NETIR_BER_EVENT Nonfatal';
    const healthy = { critical_until: null, crash_chain_at: null, signals: 0 };
    const criticalUntil = (milliseconds: number) => new Date(START + 24 * 3_600_000 + milliseconds);

    test.each<[string, ((customer: number) => Promise<unknown>)[]]>([
      ['DCGM first', [gauge(0, 0), gauge(60_000, 149), log(line(50_000, 149, nonfatal))]],
      ['the kernel log first', [gauge(0, 0), log(line(50_000, 149, nonfatal)), gauge(60_000, 149)]],
      ['the first code of DCGM', [log(line(50_000, 149, nonfatal)), gauge(60_000, 149)]],
      ['samples between', [gauge(60_000, 149), gauge(75_000, 149), log(line(61_000, 149, nonfatal))]],
      ['both twice', [1, 2].flatMap(() => [gauge(60_000, 149), log(line(50_000, 149, nonfatal))])],
    ])('the message decides health and severity: %s', async (_title, steps) => {
      const customer = (customers += 1);
      for (const step of steps) await step(customer);
      expect(await countsOf(customer)).toEqual(oneIncident(2));
      expect(await stateOf(customer)).toEqual({ ...healthy, alerts: [IGNORED] });
      const counted = await rowsOf<{ severity: number; n: number }>(
        database.administratorUrl,
        `SELECT severity, sum(n)::integer AS n FROM fleet.alert_counts
         WHERE customer_id = $1 AND scope_kind = 0 AND grain = 0 GROUP BY severity HAVING sum(n) <> 0`,
        [customer],
      );
      expect(counted).toEqual([{ severity: 4, n: 1 }]);
    });

    test('DCGM alone, or a message of another time or code, leaves the GPU critical', async () => {
      const customer = (customers += 1);
      await gauge(60_000, 149)(customer);
      const critical = {
        critical_until: criticalUntil(60_000),
        crash_chain_at: null,
        signals: 1,
        alerts: ['1 XID 149: NVLink: NETIR Error'],
      };
      expect(await stateOf(customer)).toEqual(critical);
      await log(
        line(200_000, 149, nonfatal),
        line(60_000, 150, 'MSE Nonfatal XC0 i0 Link 03 (0x0 0x1)'),
      )(customer);
      expect(await stateOf(customer)).toMatchObject({
        critical_until: critical.critical_until,
        alerts: [
          critical.alerts[0],
          '4 XID 149: NVLink: NETIR Error: NETIR_BER_EVENT Nonfatal',
          expect.any(String),
        ],
      });
    });

    test('a fatal message of the same time has its own effect and alert', async () => {
      const steps = [gauge(60_000, 149), log(line(50_000, 149, nonfatal)), log(line(55_000, 149, fatal))];
      for (const order of [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
      ]) {
        const customer = (customers += 1);
        for (const n of order) await steps[n]?.(customer);
        expect(await countsOf(customer)).toMatchObject({ events: 3, incidents: 2, rollup: 2, alerts: 2 });
        expect(await stateOf(customer)).toEqual({
          critical_until: criticalUntil(55_000),
          crash_chain_at: null,
          signals: 1,
          alerts: ['1 XID 149: NVLink: NETIR Error: NETIR_LINK_EVT Fatal', IGNORED],
        });
      }
    });

    test.each([
      ['without XID 154', [], null, []],
      [
        'with XID 154',
        [line(50_001, 154, reboot)],
        criticalUntil(50_001),
        ['0 XID 154: GPU Recovery Action Changed: Node Reboot Required'],
      ],
    ])('XID 145 that refers to XID 154 has no effect of its own: %s', async (_title, also, until, alerts) => {
      const steps = [gauge(60_000, 145), log(line(50_000, 145, follows154), ...also)];
      for (const order of [steps, [...steps].reverse()]) {
        const customer = (customers += 1);
        for (const step of order) await step(customer);
        expect(await stateOf(customer)).toMatchObject({
          critical_until: until,
          alerts: [...alerts, '4 XID 145: NVLink: RLW Error: RLW_REMAP Nonfatal'],
        });
      }
    });

    test('a crash chain does not include them', async () => {
      const steps = [gauge(20_000, 79), gauge(60_000, 149), log(line(50_000, 149, nonfatal))];
      for (const order of [
        [0, 1, 2],
        [0, 2, 1],
        [2, 0, 1],
      ]) {
        const customer = (customers += 1);
        for (const n of order) await steps[n]?.(customer);
        expect(await stateOf(customer)).toMatchObject({
          critical_until: criticalUntil(20_000),
          crash_chain_at: null,
        });
      }
    });

    test('records without raise_alert have the same effect on health', async () => {
      const gpu = { customer_id: 0, gpu_id: UUID };
      const sample = (at: number, code: number) => ({
        kind: 'gpu_sample',
        ...gpu,
        at: time(at),
        xid_last_code: code,
      });
      const event = { kind: 'xid_event', ...gpu, at: time(50_000), code: 149, message: nonfatal };
      const orders = [
        [[sample(0, 0), sample(60_000, 149), sample(120_000, 149), event]],
        [[event, sample(0, 0), sample(60_000, 149), sample(120_000, 149)]],
        [[sample(0, 0), sample(60_000, 149)], [sample(120_000, 149)], [event]],
        [[event], [sample(0, 0)], [sample(60_000, 149)], [sample(120_000, 149)]],
      ];
      for (const batches of orders) {
        const customer_id = (customers += 1);
        const inventory = gpuRecord(UUID, { customer_id, workspace_id: 10, at: time(0) });
        await importBatches(database.importerUrl, [
          [inventory],
          ...batches.map((batch) => batch.map((record) => ({ ...record, customer_id }))),
        ]);
        expect(await stateOf(customer_id)).toEqual({ ...healthy, alerts: [] });
      }
    });
  });

  // By its code, XID 154 is informational; its message may require a reboot.
  describe('and a message of the driver that is more severe than the code', () => {
    const reboot = 'GPU recovery action changed from 0x0 (None) to 0x2 (Node Reboot Required)';
    const log = (customer: number) => importLog(customer, [board, line(50_000, 154, reboot)]);
    const gauge = (customer: number) => importGauge(customer, 60_000, 154);
    const alertsOf = (customer: number) =>
      rowsOf<{ doc: string; severity: number; title: string; seq: number; state_seq: number }>(
        database.administratorUrl,
        'SELECT doc, severity, title, seq, state_seq FROM fleet.alerts WHERE customer_id = $1',
        [customer],
      );

    test.each([
      ['DCGM first', [gauge, log]],
      ['the kernel log first', [log, gauge]],
      ['both twice', [gauge, log, gauge, log]],
    ])('are one alert with the severity of the message: %s', async (_title, steps) => {
      const customer = (customers += 1);
      for (const step of steps) await step(customer);
      expect(await countsOf(customer)).toEqual(oneIncident(2));
      const alerts = await alertsOf(customer);
      expect(alerts).toMatchObject([
        { severity: 0, title: 'XID 154: GPU Recovery Action Changed: Node Reboot Required' },
      ]);
      expect(JSON.parse(alerts[0]?.doc ?? '')).toMatchObject({
        severity: 'critical',
        title: alerts[0]?.title,
        description: `${reboot}. NVIDIA's immediate action: restart host.`,
        type: 'gpu_command',
        state: 'active',
      });
      const counted = await rowsOf<{ severity: number; n: string }>(
        database.administratorUrl,
        `SELECT severity, sum(n) AS n FROM fleet.alert_counts
         WHERE customer_id = $1 AND scope_kind = 0 AND grain = 0 GROUP BY severity HAVING sum(n) <> 0`,
        [customer],
      );
      expect(counted.map(({ severity, n }) => [severity, Number(n)])).toEqual([[0, 1]]);
      const days = await rowsOf<object>(
        database.administratorUrl,
        `SELECT sum(alerts_critical)::integer AS critical, sum(alerts_info)::integer AS info
         FROM fleet.metric_days WHERE customer_id = $1 AND scope_kind = 0`,
        [customer],
      );
      expect(days).toEqual([{ critical: 1, info: 0 }]);
    });

    test('keep the version before for pagination that has started', async () => {
      const customer = (customers += 1);
      await gauge(customer);
      const [before] = await alertsOf(customer);
      await log(customer);
      const [after] = await alertsOf(customer);
      expect(before).toMatchObject({ severity: 4, seq: 1, state_seq: 1 });
      expect(after).toMatchObject({ severity: 0, seq: 1, state_seq: 2 });
      const past = await rowsOf<object>(
        database.administratorUrl,
        'SELECT doc, severity, title, seq, since_seq, until_seq FROM fleet.alert_past_states WHERE customer_id = $1',
        [customer],
      );
      const { doc, severity, title } = before ?? {};
      expect(past).toEqual([{ doc, severity, title, seq: 1, since_seq: 1, until_seq: 2 }]);
    });
  });
});

test('the cause of an XID 45 affects health until its own line is imported', async () => {
  const customer = (customers += 1);
  const health = () =>
    rowsOf<{ health_signals: { evidence: string }[] }>(
      database.administratorUrl,
      'SELECT health_signals FROM fleet.gpus WHERE customer_id = $1',
      [customer],
    ).then(([row]) => row?.health_signals.map(({ evidence }) => evidence));
  const cleanup = (milliseconds: number) =>
    line(milliseconds, 45, 'pid=7, name=python, channel 0x00000002, caused by previous Xid 149');
  await importLog(customer, [cleanup(300), cleanup(301)]);
  expect(await health()).toEqual(['XID 149: NVLink: NETIR Error (follow the workflow), cause of XID 45']);
  const nonfatal = line(0, 149, 'NETIR_BER_EVENT Nonfatal XC0 i0 Link 03 (0x00086226 0x00000001 0x0)');
  await importLog(customer, [nonfatal]);
  expect(await health()).toEqual([]);
  // The stored line counts for later lines too.
  await importLog(customer, [cleanup(500)]);
  expect(await health()).toEqual([]);
});

test('files of a log of a GPU without telemetry result in the same health in any order', async () => {
  const hour = 3_600_000;
  const files = [-30, -10, 0].map((hours) => [line(hours * hour, 79)]);
  const signalsAfter = async (order: number[]) => {
    const customer = (customers += 1);
    for (const index of order) await importLog(customer, files[index]!);
    const [gpu] = await rowsOf<{ health_signals: object[] }>(
      database.administratorUrl,
      'SELECT health_signals FROM fleet.gpus WHERE customer_id = $1',
      [customer],
    );
    return gpu?.health_signals;
  };
  const sinceTheFirst = [{ rule: 'critical_xid', since: time(-30 * hour), until: time(24 * hour) }];
  expect(await signalsAfter([0, 1, 2])).toMatchObject(sinceTheFirst);
  expect(await signalsAfter([0, 2, 1])).toMatchObject(sinceTheFirst);
  expect(await signalsAfter([2, 0, 1])).toMatchObject(sinceTheFirst);
});

test('a crash chain needs two incidents', async () => {
  const chains = async (lines: string[]) => {
    const customer = (customers += 1);
    await importLog(customer, lines);
    const [gpu] = await rowsOf<{ crash_chain_at: Date | null }>(
      database.administratorUrl,
      'SELECT crash_chain_at FROM fleet.gpus WHERE customer_id = $1',
      [customer],
    );
    return gpu?.crash_chain_at?.toISOString() ?? null;
  };
  expect(await chains([line(0, 79), line(5, 79), line(40_000, 79)])).toBeNull();
  expect(await chains([line(0, 79), line(5, 79), line(70_000, 79)])).toBe(time(70_000));
  expect(await chains([line(0, 79), line(5, 95)])).toBe(time(5));
});

test('incidents do not depend on batches, order, repetition or concurrent importers', async () => {
  const event = fc.record({
    offset: fc.integer({ min: 0, max: 400 }).map((n) => n * 7_000),
    code: fc.constantFrom(13, 79),
    message: fc.constantFrom('a', 'b'),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { minLength: 1, maxLength: 60 }),
      fc.infiniteStream(fc.nat()),
      async (events, random) => {
        const states: unknown[] = [];
        for (const mode of ['in order', 'shuffled', 'concurrent']) {
          const customer = (customers += 1);
          const mine = { customer_id: customer, workspace_id: 10 };
          const gpu = gpuRecord(UUID, { ...mine, at: time(0) });
          const records = events
            .toSorted((a, b) => a.offset - b.offset)
            .map(({ offset, code, message }) =>
              xidRecord(UUID, time(offset), code, { ...mine, message, raise_alert: true }),
            );
          await importBatches(database.importerUrl, [[gpu]]);
          if (mode === 'in order') await importBatches(database.importerUrl, [records]);
          else {
            const order = new Map(records.map((record) => [record, random.next().value as number]));
            const shuffled = [...records].sort((a, b) => (order.get(a) as number) - (order.get(b) as number));
            const batches = shuffled.map((_record, i) => shuffled.slice(i * 4, i * 4 + 5));
            const importers = mode === 'concurrent' ? 3 : 1;
            await Promise.all(
              Array.from({ length: importers }, (_unused, n) =>
                importBatches(database.importerUrl, n % 2 === 0 ? batches : [...batches].reverse()),
              ),
            );
          }
          const { events: stored, incidents, rollup, timeline } = await countsOf(customer);
          const openings = await rowsOf<{ at: Date; code: number }>(
            database.administratorUrl,
            'SELECT at, code FROM fleet.gpu_xid_events WHERE customer_id = $1 AND opens_incident ORDER BY at, code',
            [customer],
          );
          expect(rollup).toBe(incidents);
          states.push({ stored, timeline, openings });
        }
        expect(states[1]).toEqual(states[0]);
        expect(states[2]).toEqual(states[0]);
      },
    ),
    { numRuns: 6 },
  );
});
