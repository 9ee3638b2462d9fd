import { ALERT_TYPES, SEVERITIES } from '@gpu-observatory/domain-types';
import fc from 'fast-check';
import { useFleetDatabase } from '../support/fleet-database.ts';
import { importRecords } from '../support/import-records.ts';
import { uuid } from '../support/records.ts';

const database = useFleetDatabase();

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    '',
    '\\N',
    '\\.',
    'a\tb\r\nc\\',
    '\0',
    '\ud800',
    '😀'.repeat(250),
    'NULL',
    '{}',
    "'; --",
    'x'.repeat(255),
  ),
);
const number = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.constantFrom(0, -0, 1e-50, 5e-324, 1e9, 1e300, 2 ** 53 - 1, 2 ** 31, 100, 32_767, 65_536),
);
const time = fc.oneof(
  fc
    .date({
      noInvalidDate: true,
      min: new Date('0000-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59Z'),
    })
    .map((date) => date.toISOString()),
  fc.integer({ min: -14 * 31, max: 1 }).map((days) => new Date(Date.now() + days * 86_400_000).toISOString()),
  fc.constantFrom('0000-01-01T00:00:00Z', '9999-12-31T23:59:60Z', '2026-11-21T00:00:00+23:59', 'now'),
);
const gpuId = fc.oneof(
  fc.constantFrom('GPU-1', 'GPU-2', 'host|pci|', 'x'.repeat(1_000), 'ü'.repeat(500)),
  text,
);
const id = fc.oneof(
  fc.integer({ min: 1, max: 4 }).map(uuid),
  fc.constantFrom(uuid(3).toUpperCase(), `urn:uuid:${uuid(1)}`, 'x'),
);
const whole = fc.oneof(fc.integer({ min: 0, max: 5 }), number);
const details = fc.dictionary(text, fc.jsonValue({ maxDepth: 40 }) as fc.Arbitrary<unknown>, { maxKeys: 3 });
const some = <T>(shape: { [K in keyof T]: fc.Arbitrary<T[K]> }, required: (keyof T)[]) =>
  fc.record(shape, { requiredKeys: required });
const owner = { customer_id: fc.constantFrom(1, 2, 2_147_483_647), workspace_id: fc.constantFrom(1, null) };

/** Records that look right, with anything in their fields. */
const record = fc.oneof(
  some({ kind: fc.constant('workspace'), ...owner, name: text }, ['kind', 'customer_id', 'name']),
  some(
    {
      kind: fc.constant('gpu'),
      ...owner,
      at: time,
      gpu_id: gpuId,
      hostname: text,
      model: text,
      slowdown_temperature_c: number,
      report_interval_seconds: whole,
    },
    ['kind', 'customer_id', 'workspace_id', 'at', 'gpu_id', 'hostname'],
  ),
  some(
    {
      kind: fc.constant('gpu_sample'),
      ...owner,
      at: time,
      gpu_id: gpuId,
      power_draw_w: number,
      temperature_c: number,
      xid_last_code: whole,
      throttle_reasons: number,
      pcie_replays_total: whole,
      row_remap_failed: fc.boolean(),
    },
    ['kind', 'customer_id', 'at', 'gpu_id'],
  ),
  some({ kind: fc.constant('xid_event'), ...owner, at: time, gpu_id: gpuId, code: whole, message: text }, [
    'kind',
    'customer_id',
    'at',
    'gpu_id',
    'code',
  ]),
  some(
    {
      kind: fc.constant('gpu_workload'),
      ...owner,
      at: time,
      gpu_id: gpuId,
      name: text,
      uid: text,
      description: text,
      usage_category: text,
    },
    ['kind', 'customer_id', 'at', 'gpu_id', 'name'],
  ),
  some(
    {
      kind: fc.constant('gpu_process'),
      ...owner,
      at: time,
      gpu_id: gpuId,
      pid: whole,
      started_at: time,
      name: text,
      memory_used_mib: number,
    },
    ['kind', 'customer_id', 'at', 'gpu_id', 'pid', 'started_at'],
  ),
  some(
    {
      kind: fc.constant('alert'),
      ...owner,
      id,
      title: text,
      description: text,
      type: fc.constantFrom(...ALERT_TYPES),
      severity: fc.constantFrom(...SEVERITIES),
      created_at: time,
      hostname: text,
      gpu_id: gpuId,
      resource_details: fc.record(
        { memory_details: details, gpu_details: details, node_details: details },
        { requiredKeys: [] },
      ),
    },
    ['kind', 'customer_id', 'id', 'title', 'description', 'type', 'severity', 'created_at'],
  ),
  some(
    {
      kind: fc.constant('alert_state'),
      ...owner,
      at: time,
      alert_id: id,
      state: fc.constantFrom('active', 'ignored'),
    },
    ['kind', 'customer_id', 'alert_id', 'state'],
  ),
  some(
    {
      kind: fc.constant('timeline_event'),
      ...owner,
      alert_id: id,
      ts: time,
      pid: whole,
      tid: whole,
      event_type: text,
      event_info: text,
      args: fc.array(text, { maxLength: 3 }),
    },
    ['kind', 'customer_id', 'alert_id', 'ts', 'pid', 'tid', 'event_type', 'event_info'],
  ),
);

test('writes, rejects or counts any record as duplicate without affecting others', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof({ weight: 9, arbitrary: record }, { weight: 1, arbitrary: fc.jsonValue() }), {
        minLength: 1,
        maxLength: 120,
      }),
      async (records) => {
        const lines = records.map((one) => JSON.stringify(one));
        const { written, duplicate, rejected, rejects } = await importRecords(
          database.importerUrl,
          lines.join('\n'),
        );
        expect(written + duplicate + rejected).toBe(lines.length);
        expect(rejects.map(({ line, text: of }) => lines[line - 1] === of)).toEqual(rejects.map(() => true));
        expect(rejects.filter(({ reason }) => reason === '')).toEqual([]);
      },
    ),
    { numRuns: 40 },
  );
});
