import { RECORD_KINDS, type RecordKind } from '../../src/importer/records/record-schemas.ts';
import { RecordReader } from '../../src/importer/records/record-reader.ts';
import { retentionStartMs } from '../../src/importer/records/record-times.ts';
import { publishedSchema } from '../../src/importer/records/published-schema.ts';
import { ndjsonRecords } from '../../src/importer/formats/ndjson/import-ndjson.ts';
import { readLines } from '../../src/importer/run/lines.ts';
import type { SourceItem } from '../../src/importer/run/source.ts';
import fc from 'fast-check';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const ID = '00000000-0000-4000-8000-000000000001';
const half = <T>(value: T): T[] => new Array<T>(48).fill(value);
const reader = new RecordReader({ customerId: null, workspaceId: null, apiKeyId: null }, () => NOW);

/** One record of each kind with every field it may have. */
const WHOLE: Record<RecordKind, Record<string, unknown>> = {
  workspace: { name: 'research' },
  gpu: {
    at: '2026-11-21T11:00:00Z',
    gpu_id: 'GPU-1',
    vendor: 'NVIDIA',
    model: 'H100',
    compute_stack: 'CUDA 12.8',
    driver_version: '580',
    firmware_version: '96',
    hostname: 'node-1',
    pcie_address: '0',
    serial_no: '1',
    mig_enabled: false,
    slowdown_temperature_c: 87,
    shutdown_temperature_c: null,
    report_interval_seconds: 15,
  },
  gpu_sample: {
    at: '2026-11-21T11:00:00Z',
    gpu_id: 'node|pci|',
    utilization_pct: 1,
    memory_used_mib: 2.5,
    memory_total_mib: 3,
    temperature_c: -4,
    power_draw_w: 5,
    power_limit_w: 6,
    fan_pct: 103,
    sm_clock_mhz: 8,
    memory_clock_mhz: 9,
    xid_last_code: 79,
    throttle_reasons: 8,
    ecc_single_bit_total: 1,
    ecc_double_bit_total: null,
    row_remap_failed: false,
    row_remap_pending: null,
    nvlink_errors_total: Number.MAX_SAFE_INTEGER,
    pcie_replays_total: 0,
  },
  gpu_day: {
    day: '2026-11-20',
    gpu_id: 'GPU-1',
    samples: half(120),
    utilization_pct: half(50),
    memory_used_mib: half(null),
    temperature_c: half(40),
    power_draw_w: half(300),
    memory_total_mib: 81559,
    fan_pct: null,
    sm_clock_mhz: 1,
    memory_clock_mhz: 1,
    thermal_slope_c_per_minute: -0.5,
    health_score: 99.5,
    health_hours: 12.5,
    ecc_errors: 1,
    throttle_events: null,
  },
  xid_event: { at: '2026-11-21T11:00:00Z', gpu_id: 'GPU-1', code: 79, message: 'off the bus' },
  gpu_process: {
    at: '2026-11-21T11:00:00Z',
    gpu_id: 'GPU-1',
    pid: 4_294_967_295,
    started_at: '2024-01-01T00:00:00Z',
    name: 'python',
    description: '',
    usage_category: 'training',
    gpu_utilization_pct: 9,
    memory_used_mib: 1,
  },
  gpu_workload: {
    at: '2026-11-21T11:00:00Z',
    gpu_id: 'GPU-1',
    name: 'train-1',
    uid: '',
    description: '',
    usage_category: 'training',
  },
  host: {
    at: '2026-11-21T11:00:00Z',
    hostname: 'node-1',
    host_id: 'h',
    cpus: 96,
    memory_total_mib: 1,
    operating_system: 'Ubuntu 24.04',
    kernel: '6.8',
  },
  host_sample: {
    at: '2026-11-21T11:00:00Z',
    hostname: 'node-1',
    cpu_load_1m: 1,
    cpu_utilization_pct: 2,
    forks_per_second: 3,
    exits_per_second: null,
  },
  host_day: {
    day: '2026-11-20',
    hostname: 'node-1',
    samples: 86_400,
    cpu_load_1m: 1,
    cpu_utilization_pct: 2,
    forks_per_second: null,
    exits_per_second: 4,
  },
  container: {
    at: '2026-11-21T11:00:00Z',
    container_id: 'containerd://1',
    hostname: 'node-1',
    name: 'trainer',
    image: 'i',
    namespace: 'n',
    pod: 'p',
    started_at: '2026-11-21T10:00:00Z',
    gpu_ids: ['GPU-1'],
    mps: true,
  },
  vm: { at: '2026-11-21T11:00:00Z', vm_id: 'vm-1', hostname: 'node-1', name: 'guest', gpu_ids: [] },
  process: {
    at: '2026-11-21T11:00:00Z',
    hostname: 'node-1',
    pid: 1,
    started_at: '2024-01-01T00:00:00Z',
    name: 'python',
    command_line: 'python train.py',
    container_id: 'containerd://1',
  },
  agent_session: {
    at: '2026-11-21T11:00:00Z',
    session_id: 's',
    hostname: 'node-1',
    host_id: 'h',
    agent_version: '1',
    started_at: '2026-11-21T10:00:00Z',
  },
  alert: {
    id: ID,
    title: 't',
    description: 'd',
    type: 'gpu_thermal',
    severity: 'high',
    state: 'ignored',
    created_at: '2026-11-21T11:00:00Z',
    hostname: null,
    gpu_id: 'GPU-1',
    gpu_model: 'H100',
    gpu_serial: '1',
    session_id: 's',
    host_id: 'h',
    resource_details: { process_details: { pid: 1 }, node_details: {}, container_details: null },
  },
  alert_state: { at: '2026-11-21T11:00:00Z', alert_id: ID, state: 'ignored' },
  timeline_event: {
    alert_id: ID,
    ts: '2026-11-21T11:00:00Z',
    pid: 1,
    tid: 2,
    event_type: 'exec',
    event_info: 'i',
    comm: 'c',
    command_line: 'l',
    args: ['a'],
    pwd: '/',
  },
};
/** The required fields of each kind, as published. */
const { definitions: PUBLISHED } = publishedSchema() as {
  definitions: Record<RecordKind, { required: string[] }>;
};

const whole = (kind: RecordKind, more: object = {}) => ({
  kind,
  customer_id: 1,
  workspace_id: 10,
  api_key_id: 100,
  ...WHOLE[kind],
  ...more,
});
const faultOf = (value: unknown, recordReader = reader) => {
  const result = recordReader.read(value);
  return 'fault' in result ? result.fault : null;
};

describe.each(RECORD_KINDS)('a %s record', (kind) => {
  test('accepts every field, and normalizes times', () => {
    const result = reader.read(whole(kind));
    const canonical = Object.fromEntries(
      Object.entries(whole(kind)).map(([field, value]) => [
        field,
        typeof value === 'string' && /T\d\d:/.test(value) ? new Date(value).toISOString() : value,
      ]),
    );
    expect(result).toEqual({ record: canonical });
  });

  test('rejects an unknown field by name', () => {
    expect(faultOf(whole(kind, { color: 1 }))).toBe('color is not a field of this kind');
  });

  test.each(PUBLISHED[kind].required.filter((field) => field in WHOLE[kind]))('requires %s', (field) => {
    const { [field]: _left, ...rest } = whole(kind) as Record<string, unknown>;
    expect(faultOf(rest)).toContain(`'${field}'`);
  });

  test('rejects a value of another type for each field by name', () => {
    for (const field of Object.keys(WHOLE[kind])) {
      expect(faultOf(whole(kind, { [field]: { unexpected: 1 } }))).toMatch(new RegExp(`^${field}[. ]`));
      expect(faultOf(whole(kind, { [field]: [[]] }))).toMatch(new RegExp(`^${field}[. ]`));
    }
  });
});

describe('rejects a record with its reason:', () => {
  test.each<[unknown, RegExp]>([
    [null, /not a JSON object/],
    [[], /not a JSON object/],
    ['alert', /not a JSON object/],
    [{}, /kind must be one of workspace, gpu/],
    [{ kind: 'toString' }, /kind must be one of/],
    [{ kind: ['gpu'] }, /kind must be one of/],
    [whole('alert', { type: 'gpu_party' }), /^type must be one of cpu_usage/],
    [whole('alert', { severity: 'HIGH' }), /^severity must be one of critical/],
    [whole('alert', { id: 'x' }), /^id must match format "uuid"/],
    [whole('alert', { id: `urn:uuid:${ID}` }), /^id must match format "uuid"/],
    [whole('alert_state', { alert_id: `urn:uuid:${ID}` }), /^alert_id must match format "uuid"/],
    [whole('timeline_event', { alert_id: `urn:uuid:${ID}` }), /^alert_id must match format "uuid"/],
    [whole('alert', { created_at: '2026-11-21' }), /^created_at must be an RFC 3339 time with a zone/],
    [whole('alert', { created_at: '2026-11-21T12:00:00' }), /^created_at must be/],
    [whole('alert', { created_at: '2026-13-21T12:00:00Z' }), /^created_at must be/],
    [whole('alert', { title: 'a\0b' }), /NUL/],
    [whole('alert', { title: '\ud800' }), /lone surrogate/],
    [whole('alert', { title: 'x'.repeat(1_001) }), /^title must NOT have more than 1000/],
    [whole('alert', { hostname: 'x'.repeat(256) }), /^hostname must NOT have more than 255/],
    [whole('alert', { host_id: undefined }), /session_id and host_id must be present together/],
    [whole('alert', { session_id: undefined }), /host_id and session_id must be present together/],
    [whole('alert', { resource_details: { gpu: {} } }), /^resource_details.gpu is not a field/],
    [
      whole('alert', { resource_details: { gpu_details: { gpu_id: 5 } } }),
      /^resource_details.gpu_details.gpu_id/,
    ],
    [whole('alert', { resource_details: { node_details: null } }), /^resource_details.node_details/],
    [whole('alert', { resource_details: { memory_details: { 'a\0': 1 } } }), /NUL/],
    [whole('alert', { resource_details: { memory_details: { a: Infinity } } }), /out of range/],
    [whole('gpu_sample', { gpu_id: `GPU-${'ü'.repeat(499)}` }), /^gpu_id must be at most 1000 bytes/],
    [
      whole('gpu', { gpu_id: '00000000:3B:00.0' }),
      /^gpu_id must be GPU-… or host\|pci\|guest, not for example a bare PCIe address/,
    ],
    [whole('gpu', { gpu_id: 'GPU-' }), /^gpu_id must be GPU-…/],
    [whole('gpu', { gpu_id: 'node|3b:00.0' }), /^gpu_id must be GPU-…/],
    [whole('gpu', { gpu_id: '|3b:00.0|' }), /^gpu_id must be GPU-…/],
    [whole('alert', { gpu_id: '3b:00.0' }), /^gpu_id must be GPU-…/],
    [whole('gpu_sample', { utilization_pct: 100.1 }), /^utilization_pct must be <= 100/],
    [whole('gpu_sample', { power_draw_w: Infinity }), /out of range/],
    [whole('gpu_sample', { xid_last_code: 1.5 }), /^xid_last_code must be integer/],
    [whole('gpu_sample', { pcie_replays_total: 2 ** 53 }), /^pcie_replays_total must be <= 9007199254740991/],
    [
      whole('gpu_sample', { ecc_double_bit_total: 1e12 + 1 }),
      /^ecc_double_bit_total must be <= 1000000000000/,
    ],
    [whole('gpu_day', { ecc_errors: 1e12 + 1 }), /^ecc_errors must be <= 1000000000000/],
    [whole('gpu_day', { throttle_events: 1e12 + 1 }), /^throttle_events must be <= 1000000000000/],
    [whole('gpu_day', { samples: half(1).slice(1) }), /^samples must NOT have fewer than 48/],
    [whole('gpu_day', { day: '2026-02-30' }), /^day must match format "date"/],
    [whole('gpu_day', { day: '2026-11-23' }), /^day is in the future/],
    [whole('xid_event', { code: 0 }), /^code must be >= 1/],
    [whole('xid_event', { at: '2026-11-21T13:00:01Z' }), /^at is in the future/],
    [whole('xid_event', { at: '0001-01-01T00:00:00Z' }), /^at is older than the 13 months/],
    [whole('alert', { created_at: '2025-10-21T11:59:59.999Z' }), /^created_at is older than the 13 months/],
    [whole('gpu_process', { started_at: '1969-12-31T23:59:59Z' }), /^started_at is before 1970/],
    [whole('gpu', { customer_id: 0 }), /^customer_id must be >= 1/],
    [whole('gpu', { customer_id: 2 ** 31 }), /^customer_id must be <= 2147483647/],
  ])('%#', (value, reason) => {
    expect(faultOf(JSON.parse(JSON.stringify(value)) as unknown) ?? faultOf(value)).toMatch(reason);
  });

  test('nested too deeply', () => {
    let deep: unknown = {};
    for (let depth = 0; depth < 200_000; depth += 1) deep = [deep];
    expect(faultOf(whole('alert', { resource_details: { memory_details: { deep } } }))).toBe(
      'the record is nested deeper than 32',
    );
  });
});

describe('accepts a record:', () => {
  test('at the limits of retention', () => {
    expect(faultOf(whole('xid_event', { at: '2026-11-21T13:00:00Z' }))).toBeNull();
    expect(faultOf(whole('alert', { created_at: '2025-10-21T12:00:00Z' }))).toBeNull();
  });

  test('with a reading too small for float4, as 0', () => {
    expect(reader.read(whole('gpu_sample', { power_draw_w: 1e-50, fan_pct: -0 }))).toMatchObject({
      record: { power_draw_w: 0, fan_pct: -0 },
    });
  });
});

test('13 months back, as in PostgreSQL', () => {
  const back = (now: string) => new Date(retentionStartMs(Date.parse(now))).toISOString();
  expect(back('2026-11-21T12:00:00Z')).toBe('2025-10-21T12:00:00.000Z');
  expect(back('2026-10-31T12:00:00Z')).toBe('2025-09-30T12:00:00.000Z');
  expect(back('2028-03-31T00:00:00Z')).toBe('2027-02-28T00:00:00.000Z');
});

describe('the owner of a record', () => {
  const by = (defaults: [number | null, number | null, number | null]) =>
    new RecordReader({ customerId: defaults[0], workspaceId: defaults[1], apiKeyId: defaults[2] }, () => NOW);
  const bare = { kind: 'alert_state', alert_id: ID, state: 'active' };

  test('is that of the record, or else that of the command', () => {
    expect(by([1, 2, 3]).read({ ...bare })).toMatchObject({
      record: { customer_id: 1, workspace_id: 2, api_key_id: 3 },
    });
    expect(by([1, 2, 3]).read({ ...bare, workspace_id: null, api_key_id: 9 })).toMatchObject({
      record: { customer_id: 1, workspace_id: null, api_key_id: 9 },
    });
  });

  test('rejects a record without customer, and one of another customer than --customer', () => {
    expect(faultOf({ ...bare }, by([null, 2, 3]))).toMatch(/customer_id is missing/);
    expect(faultOf({ ...bare, customer_id: 7 }, by([1, null, null]))).toBe(
      'customer_id is 7, but --customer is 1',
    );
  });
});

describe('a stream of lines', () => {
  async function read(chunks: Buffer[]): Promise<SourceItem[]> {
    const items: SourceItem[] = [];
    const input = (async function* () {
      for (const chunk of chunks) yield await Promise.resolve(chunk);
    })();
    for await (const lines of readLines(input)) items.push(...ndjsonRecords('f', lines, reader));
    return items;
  }
  const line = JSON.stringify(whole('xid_event'));
  const outcome = (item: SourceItem) => [
    item.origin.lines[0]?.number,
    'fault' in item ? item.fault : item.record.kind,
  ];

  test('CRLF, blank lines, a byte order mark, no newline at the end', async () => {
    const items = await read([Buffer.from(`\uFEFF${line}\r\n\r\n   \n${line}`)]);
    expect(items.map(outcome)).toEqual([
      [1, 'xid_event'],
      [4, 'xid_event'],
    ]);
  });

  test('a line that is not JSON, not UTF-8 or too long does not affect others', async () => {
    const items = await read([
      Buffer.from(`{"kind":\n`),
      Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}\n')]),
      Buffer.from(`"${'x'.repeat(1024 * 1024)}"\n`),
      Buffer.from(`${line}\n`),
    ]);
    expect(items.map(outcome)).toEqual([
      [1, expect.stringMatching(/^not JSON: /)],
      [2, 'the line is not UTF-8'],
      [3, 'the line is longer than 1048576 bytes'],
      [4, 'xid_event'],
    ]);
  });

  test('reads a line of 1 MiB, and bounds memory for an endless line', async () => {
    const padding = ' '.repeat(1024 * 1024 - line.length);
    const endless = new Array<Buffer>(64).fill(Buffer.alloc(1024 * 1024, 'x'));
    const items = await read([Buffer.from(`${line}${padding}\n`), ...endless, Buffer.from(`\n${line}\n`)]);
    expect(items.map(outcome)).toEqual([
      [1, 'xid_event'],
      [2, 'the line is longer than 1048576 bytes'],
      [3, 'xid_event'],
    ]);
    expect(items.map((item) => item.origin.lines[0]?.text.length)[1]).toBeLessThan(2_000);
  });

  test('does not depend on chunk boundaries', async () => {
    const text = Buffer.from(`\uFEFF${line}\n{"ü":"€😀"}\r\n\n${line}\n[`);
    const expected = (await read([text])).map(outcome);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(text.length)), async (cuts) => {
        const ends = [...new Set([...cuts, text.length])].sort((a, b) => a - b);
        const chunks = ends.map((end, index) => text.subarray(ends[index - 1] ?? 0, end));
        expect((await read(chunks)).map(outcome)).toEqual(expected);
      }),
      { numRuns: 200 },
    );
  });
});
