import { useFleetDatabase } from '../support/fleet-database.ts';
import { fleetTables, rowsOf } from '../support/fleet-tables.ts';
import { importBatches, importRecords } from '../support/import-records.ts';
import { alertRecord, gpuRecord, minutesAgo, sampleRecord, xidRecord } from '../support/records.ts';

const NOW = Date.now();
const ago = (minutes: number) => minutesAgo(minutes, NOW);
let customer = 0;
const mine = (workspace: number | null = 10, key: number | null = null) => ({
  customer_id: customer,
  workspace_id: workspace,
  api_key_id: key,
});

const database = useFleetDatabase();
beforeEach(() => {
  customer += 1;
});

async function entities(): Promise<Record<string, string>> {
  const rows = await rowsOf<{ entity: string; seen: string }>(
    database.administratorUrl,
    `SELECT kind || ' ' || entity_id AS entity, coalesce(workspace_id::text, '-') || ' ' || coalesce(api_key_id::text, '-') || ' ' ||
       round(extract(epoch FROM $2::timestamptz - first_seen) / 60) || ' to ' ||
       round(extract(epoch FROM $2::timestamptz - last_seen) / 60) || ' ' || doc AS seen
     FROM fleet.entities WHERE customer_id = $1`,
    [customer, new Date(NOW)],
  );
  return Object.fromEntries(rows.map(({ entity, seen }) => [entity, seen]));
}

const container = (at: number, more: object = {}, owner = mine()) => ({
  kind: 'container',
  ...owner,
  at: ago(at),
  container_id: 'c',
  hostname: 'h',
  ...more,
});

test('an entity lasts from its first to its last observation; the later record wins, field by field', async () => {
  const records = [
    container(5, { image: 'middle', pod: 'p' }),
    container(9, { image: 'first', namespace: 'n' }),
    container(2, { image: 'last' }),
  ];
  await importRecords(database.importerUrl, records);
  expect(await entities()).toEqual({
    'container c':
      '10 - 9 to 2 {"pod": "p", "image": "last", "hostname": "h", "namespace": "n", "container_id": "c"}',
    'host h': '10 - 9 to 2 {}',
    'workspace 10': '10 - 9 to 2 {}',
  });
});

test('belongs to the workspace and key of its newest record', async () => {
  await importRecords(database.importerUrl, [
    container(5, {}, mine(1, 71)),
    container(2, {}, mine(2, 72)),
    container(9, {}, mine(3)),
  ]);
  const seen = await entities();
  expect(seen['container c']).toMatch(/^2 72 9 to 2/);
  expect(seen['key_workspace 2 72']).toMatch(/^2 72 2 to 2/);
  // Without a host record, the earliest mention decides.
  expect(seen['host h']).toMatch(/^3 - 9 to 2/);
});

test('a host record decides the owner of the host, whatever other records mention it', async () => {
  await importRecords(database.importerUrl, [
    container(9),
    { kind: 'host', ...mine(4), at: ago(5), hostname: 'h' },
  ]);
  await importRecords(database.importerUrl, [container(20, {}, mine(1))]);
  expect((await entities())['host h']).toMatch(/^4 - 20 to 5/);
});

test('rejects a differing record of the same time', async () => {
  const { rejects, written } = await importRecords(database.importerUrl, [
    container(5, { image: 'a' }),
    container(5, { image: 'b' }),
  ]);
  expect(written).toBe(1);
  expect(rejects.map(({ reason }) => reason)).toEqual([
    'a container record of this time is already stored with a different image',
  ]);
});

test('rejects a differing host sample of the same time and counts an equal one as duplicate', async () => {
  const sample = (load: number | null) => ({
    kind: 'host_sample',
    ...mine(),
    at: ago(3),
    hostname: 'h',
    cpu_load_1m: load,
  });
  const first = await importRecords(database.importerUrl, [sample(1.5), sample(1.5), sample(2)]);
  expect(first).toMatchObject({ written: 1, duplicate: 1, rejected: 1 });
  const again = await importRecords(database.importerUrl, [sample(1.5), sample(null)]);
  expect(again).toMatchObject({ written: 0, duplicate: 1, rejected: 1 });
  expect(again.rejects[0]?.reason).toBe(
    'a sample of this host and time is already stored with a different cpu_load_1m',
  );
});

test('counts a process on two GPUs once, with or without a process record', async () => {
  const process = { pid: 7, started_at: ago(100) };
  await importRecords(database.importerUrl, [
    gpuRecord('GPU-1', { ...mine(), at: ago(9), hostname: 'h' }),
    gpuRecord('GPU-2', { ...mine(), at: ago(9), hostname: 'h' }),
    { kind: 'gpu_process', ...mine(), gpu_id: 'GPU-1', at: ago(8), ...process },
    { kind: 'gpu_process', ...mine(), gpu_id: 'GPU-2', at: ago(4), ...process },
    { kind: 'process', ...mine(), hostname: 'h', at: ago(6), ...process },
  ]);
  const processes = Object.entries(await entities()).filter(([entity]) => entity.startsWith('process '));
  expect(processes).toEqual([[`process h|7|${ago(100)}`, expect.stringMatching(/^10 - 8 to 4/)]]);
});

test('does not depend on batch boundaries', async () => {
  // Samples of two GPUs with XIDs in between, hosts, containers that change their owner, alerts: all in the order of a
  // stream.
  const stream = () => [
    gpuRecord('GPU-1', { ...mine(1, 71), at: ago(400), hostname: 'h', slowdown_temperature_c: 70 }),
    gpuRecord('GPU-2', { ...mine(2), at: ago(400), hostname: 'g' }),
    ...Array.from({ length: 120 }, (_unused, n) => [
      { ...sampleRecord(`GPU-${(n % 2) + 1}`, ago(300 - n * 2), sampleOf(n)), customer_id: customer },
      { kind: 'host_sample', ...mine(1), at: ago(300 - n * 2), hostname: 'h', cpu_load_1m: n / 3 },
      ...(n % 9 === 0 ? [xidRecord('GPU-1', ago(299.5 - n * 2), n % 2 === 0 ? 79 : 63, mine())] : []),
      ...(n % 5 === 0
        ? [container(300 - n * 2, { mps: n % 2 === 0 }, mine(n % 3 === 0 ? null : 1, n % 4 || null))]
        : []),
      ...(n % 7 === 0 ? [alertRecord(n, { ...mine(2), created_at: ago(n * 300) })] : []),
    ]).flat(),
  ];
  const sampleOf = (n: number) => ({
    utilization_pct: n % 101,
    temperature_c: 60 + (n % 17) / 1.3,
    throttle_reasons: n % 6 === 0 ? 8 : 0,
    ecc_single_bit_total: n % 50,
    xid_last_code: n === 40 ? 119 : 0,
  });
  const rollups = async () => {
    const tables = await fleetTables(database.administratorUrl);
    const own = (name: string) =>
      (tables[name] ?? [])
        .filter((row) => row.includes(`"customer_id": ${customer}`) && !row.includes('"n": 0,'))
        .map((row) => row.replace(/"customer_id": \d+/, ''));
    return Object.fromEntries(
      ['entities', 'entity_counts', 'metric_days', 'gpus', 'host_days'].map((name) => [name, own(name)]),
    );
  };
  await importBatches(database.importerUrl, [stream()]);
  const whole = await rollups();
  expect(whole.metric_days?.length).toBeGreaterThan(5);
  for (const size of [1, 7, 60]) {
    customer += 1;
    const records = stream();
    const batches: object[][] = [];
    for (let start = 0; start < records.length; start += size)
      batches.push(records.slice(start, start + size));
    await importBatches(database.importerUrl, batches);
    expect(await rollups()).toEqual(whole);
  }
});
