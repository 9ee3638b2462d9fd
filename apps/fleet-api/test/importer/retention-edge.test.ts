import { DAY_MS, HOUR_MS } from '@gpu-observatory/domain-types';
import { createFleetDatabase, type FleetDatabase } from '../support/fleet-database.ts';
import { rowsOf } from '../support/fleet-tables.ts';
import { importRecords } from '../support/import-records.ts';
import {
  alertRecord,
  gpuDayRecord,
  gpuRecord,
  minutesAgo,
  sampleRecord,
  timelineRecord,
  xidRecord,
} from '../support/records.ts';
import { retain } from '../support/retention.ts';

/** Times before, after and long after the start of a retention period, in all orders. */
const ORDERS = [
  ['before', 'after', 'now'],
  ['before', 'now', 'after'],
  ['after', 'before', 'now'],
  ['after', 'now', 'before'],
  ['now', 'before', 'after'],
  ['now', 'after', 'before'],
] as const;
type Time = (typeof ORDERS)[number][number];

let database: FleetDatabase;
const times: Record<'alerts' | 'telemetry' | 'samples', Record<Time, string>> = {} as never;

beforeAll(async () => {
  database = await createFleetDatabase();
  await retain(database.ownerUrl, {
    alerts: '1 months',
    events: '3 months',
    rollups: '3 months',
    samples: '10 days',
  });
  const [start] = await rowsOf<Record<keyof typeof times, Date>>(
    database.administratorUrl,
    "SELECT now() - interval '1 month' AS alerts, now() - interval '3 months' AS telemetry, now() - interval '10 days' AS samples",
  );
  for (const kind of ['alerts', 'telemetry', 'samples'] as const) {
    const startMs = start![kind].getTime();
    times[kind] = {
      before: new Date(startMs - HOUR_MS).toISOString(),
      after: new Date(startMs + HOUR_MS).toISOString(),
      now: minutesAgo(0),
    };
  }
});

afterAll(() => database.drop());

/** A record of each kind that is stored by time, at a time that a test selects. */
const RECORDS: [kind: string, recordAt: (time: Time, customer_id: number) => object][] = [
  [
    'gpu_sample',
    (time, customer_id) =>
      sampleRecord('GPU-1', times.samples[time], { customer_id, utilization_pct: 1, xid_last_code: 0 }),
  ],
  [
    'host_sample',
    (time) => ({ kind: 'host_sample', at: times.samples[time], hostname: 'h', cpu_load_1m: 1 }),
  ],
  ['gpu_day', (time) => gpuDayRecord('GPU-1', dayOf(time))],
  ['host_day', (time) => ({ kind: 'host_day', hostname: 'h', day: dayOf(time), samples: 1, cpu_load_1m: 1 })],
  ['xid_event', (time) => xidRecord('GPU-1', times.telemetry[time], 31)],
  ['alert', (time, customer) => alertRecord(idOf(time, customer), { created_at: times.alerts[time] })],
  ['timeline_event', (time, customer) => timelineRecord(idOf('now', customer), times.alerts[time])],
];

/** A day begins at midnight: the day in which retention starts is before it. */
const dayOf = (time: Time) =>
  new Date(Date.parse(times.telemetry[time]) + (time === 'after' ? DAY_MS : 0)).toISOString().slice(0, 10);
const idOf = (time: Time, customer: number) => customer * 10 + ['before', 'after', 'now'].indexOf(time);

describe.each(ORDERS.map((order, n) => ({ order, customer: n + 1 })))(
  'of records $order the start of retention, an import',
  ({ order, customer }) => {
    it.each(RECORDS)('rejects only the first %s', async (kind, recordAt) => {
      const customer_id = customer;
      const { rejects, rejected } = await importRecords(database.importerUrl, [
        gpuRecord('GPU-1', { customer_id, at: times.telemetry.after }),
        alertRecord(idOf('now', customer), { customer_id, created_at: times.alerts.now }),
        ...order.map((time) => ({ ...recordAt(time, customer), customer_id })),
      ]);
      expect(
        rejects.map(({ reason, text }) => [(JSON.parse(text) as { kind: string }).kind, reason]),
      ).toEqual([[kind, expect.stringMatching(/is outside the retention period/)]]);
      expect(rejects[0]!.text).toBe(JSON.stringify({ ...recordAt('before', customer), customer_id }));
      expect(rejected).toBe(1);
    });

    it('raises alerts only of XIDs within the retention of alerts', async () => {
      const customer_id = customer + ORDERS.length;
      const { rejects } = await importRecords(database.importerUrl, [
        ...order.map((time) => gpuRecord(`GPU-${time}`, { customer_id, at: times.alerts.before })),
        ...order.map((time) =>
          xidRecord(`GPU-${time}`, times.alerts[time], 79, {
            customer_id,
            workspace_id: 10,
            raise_alert: true,
          }),
        ),
      ]);
      expect(rejects).toEqual([]);
      const alerts = await rowsOf<{ created_at: Date }>(
        database.administratorUrl,
        'SELECT a.created_at FROM fleet.alerts a WHERE a.customer_id = $1 ORDER BY a.created_at',
        [customer_id],
      );
      expect(alerts.map(({ created_at }) => created_at.toISOString())).toEqual([
        times.alerts.after,
        times.alerts.now,
      ]);
    });
  },
);
