import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { amdPage, pageAt } from '../support/exporter-pages.ts';
import { createFleetDatabase, useFleetDatabase } from '../support/fleet-database.ts';
import { fleetTables, rowsOf } from '../support/fleet-tables.ts';
import { runImport, startImport } from '../support/import-process.ts';
import { alertRecord, alertStateRecord, gpuRecord, minutesAgo, sampleRecord } from '../support/records.ts';

/** Kills and input of the tests with kills: more at night. */
const [KILLS, ALERTS, PAGES] = process.env['NIGHTLY_SEED'] ? [20, 2_000, 40] : [2, 400, 12];

const database = useFleetDatabase();
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleet-import-command-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const file = (name: string, text: string | Buffer) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const rejected = (name: string) =>
  readFileSync(join(folder, name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { file: string; line: number; reason: string; text: string });
const run = (args: string[], input?: string) =>
  runImport(database.importerUrl, args, { cwd: folder, ...(input === undefined ? {} : { input }) });
const count = async (table: string, where = 'true') => {
  const [row] = await rowsOf<{ n: number }>(
    database.administratorUrl,
    `SELECT count(*) AS n FROM fleet.${table} WHERE ${where}`,
  );
  return row?.n;
};
const attribution = (customer: number) => ['--customer', String(customer), '--workspace', '10'];
const scrape = (uuid: string, celsius = 40) =>
  [
    '# TYPE DCGM_FI_DEV_GPU_TEMP gauge',
    `DCGM_FI_DEV_GPU_TEMP{gpu="0",UUID="${uuid}",modelName="NVIDIA H100",Hostname="n"} ${celsius}`,
    `DCGM_FI_DEV_POWER_USAGE{gpu="0",UUID="${uuid}",modelName="NVIDIA H100",Hostname="n"} 68.347000`,
    `DCGM_FI_DEV_NEW_COUNTER{gpu="0",UUID="${uuid}",modelName="NVIDIA H100",Hostname="n"} 3`,
    '',
  ].join('\n');

describe('import dcgm', () => {
  test('importing the same file again changes nothing, and adds no line to the reject file', async () => {
    const path = file('node-1.prom', scrape('GPU-1'));
    expect(await run(['dcgm', path, ...attribution(1), '--at', minutesAgo(10)])).toMatchObject({
      code: 0,
      result: { written: 2, duplicate: 0, rejected: 1, reject_file: 'node-1.prom.rejects.ndjson' },
    });
    const before = await fleetTables(database.administratorUrl);
    expect(before.gpu_samples?.map((row) => JSON.parse(row) as object)).toEqual([
      expect.objectContaining({ gpu_id: 'GPU-1', temperature_c: 40, power_draw_w: 68.347 }),
    ]);
    // The second import uses the current time for the same content, which is still a duplicate.
    expect(await run(['dcgm', path, ...attribution(1)])).toMatchObject({
      code: 0,
      result: { written: 0, duplicate: 2, rejected: 1 },
    });
    expect(await fleetTables(database.administratorUrl)).toEqual(before);
    expect(rejected('node-1.prom.rejects.ndjson')).toEqual([
      {
        file: path,
        line: 4,
        reason: 'DCGM_FI_DEV_NEW_COUNTER is not a stored metric',
        text: scrape('GPU-1').split('\n')[3],
      },
    ]);
    expect(statSync(join(folder, 'node-1.prom.rejects.ndjson')).mode & 0o777).toBe(0o600);
  });

  test('rejects other readings of the same GPU and time', async () => {
    const at = minutesAgo(20);
    await run(['dcgm', file('a.prom', scrape('GPU-2')), ...attribution(2), '--at', at]);
    const other = file('b.prom', scrape('GPU-2', 41));
    expect(await run(['dcgm', other, ...attribution(2), '--at', at])).toMatchObject({
      result: { written: 0, duplicate: 1, rejected: 3 },
    });
    expect(rejected('b.prom.rejects.ndjson').map(({ line, reason }) => [line, reason])).toEqual([
      [4, expect.stringMatching(/is not a stored metric/)],
      [2, 'a sample of this GPU and time is already stored with a different temperature_c'],
      [3, 'a sample of this GPU and time is already stored with a different temperature_c'],
    ]);
  });

  test('binary, empty and truncated files do not affect other files, but the exit code', async () => {
    const binary = file(
      'binary.prom',
      Buffer.from(Array.from({ length: 5_000 }, (_unused, n) => (n * 7919) % 256)),
    );
    const empty = file('empty.prom', '');
    const half = file('half.prom', scrape('GPU-4').slice(0, 150));
    const good = file('good.prom', scrape('GPU-5').replaceAll('\n', '\r\n'));
    const files = [binary, empty, half, good];
    const { code, result, errors } = await run(['dcgm', ...files, ...attribution(4), '--quiet']);
    expect(code).toBe(1);
    expect(errors).toMatch(
      /binary\.prom: the page has no series of dcgm-exporter \(line 1: .*empty\.prom: .* it is empty\./,
    );
    expect(result).toMatchObject({ written: 4, reject_file: 'binary.prom.rejects.ndjson' });
    const lines = rejected('binary.prom.rejects.ndjson');
    expect(lines).toHaveLength(result?.rejected ?? 0);
    expect(new Set(lines.map((line) => `${line.file} ${line.line}`)).size).toBe(lines.length);
    expect(await count('gpus', 'customer_id = 4')).toBe(2);
  });
});

describe('an import that cannot start prints one line and imports nothing', () => {
  const good = () => file('fine.prom', scrape('GPU-6'));
  const cases: [string, () => string[], RegExp][] = [
    [
      'a name without a workspace',
      () => ['ndjson', good(), '--workspace-name', 'A'],
      /requires --customer and --workspace/,
    ],
    ['no customer', () => ['dcgm', good(), '--workspace', '1'], /missing --customer or --workspace/],
    ['no workspace', () => ['dcgm', good(), '--customer', '1'], /missing --customer or --workspace/],
    [
      'a missing file among others',
      () => ['dcgm', good(), join(folder, 'no.prom'), ...attribution(6)],
      /no\.prom cannot be read: there is no such file/,
    ],
    ['a directory', () => ['dcgm', good(), folder, ...attribution(6)], /cannot be read: it is a directory/],
    ['standard input twice', () => ['ndjson', '-', '-'], /standard input \(-\) can be read only once/],
    [
      'a file to follow',
      () => ['falco', good(), '--customer', '1', '--follow'],
      /--follow requires standard input \(-\)/,
    ],
    [
      'no customer of Falco alerts',
      () => ['falco', good()],
      /missing --customer: Falco alerts carry no customer/,
    ],
    ['no workspace of XIDs', () => ['xid', good(), '--customer', '1'], /missing --customer or --workspace/],
    ['no host of GPUs', () => ['nvidia-smi', good(), ...attribution(6)], /missing --host/],
    [
      'a page of another exporter',
      () => [
        'dcgm',
        file('node.prom', '# TYPE node_load1 gauge\nnode_load1 0.5\n'),
        ...attribution(6),
        '--quiet',
      ],
      /node\.prom: the page has no series of dcgm-exporter but looks like node_exporter/,
    ],
    [
      'a rule table that is not there',
      () => ['falco', '-', '--customer', '1', '--rules', 'none.yaml'],
      /--rules \(none\.yaml\) cannot be read: ENOENT/,
    ],
    [
      'an invalid offset',
      () => ['xid', '-', ...attribution(6), '--utc-offset', 'CET'],
      /must be an offset from UTC, such as \+02:00/,
    ],
    ['an unknown format', () => ['syslog', good()], /unknown command 'syslog'/],
    [
      'an invalid time',
      () => ['dcgm', good(), ...attribution(6), '--at', 'yesterday'],
      /must be an RFC 3339 time with a zone/,
    ],
    [
      'an invalid customer',
      () => ['ndjson', good(), '--customer', '0'],
      /must be an integer from 1 to 2147483647/,
    ],
    [
      'a reject file in no folder',
      () => ['dcgm', good(), ...attribution(6), '--rejects', join(folder, 'no', 'r')],
      /reject file .* cannot be used \(ENOENT\): set --rejects/,
    ],
  ];

  test('with invalid options', async () => {
    const before = await fleetTables(database.administratorUrl);
    const outcomes = await Promise.all(cases.map(async ([, args]) => run(args())));
    outcomes.forEach(({ code, errors }, index) => {
      const [name, , message] = cases[index] as (typeof cases)[number];
      expect([name, code, errors]).toEqual([name, 1, expect.stringMatching(message)]);
      expect(errors).not.toMatch(/^\s+at /m);
    });
    expect(await fleetTables(database.administratorUrl)).toEqual(before);
  });

  test('without a database', async () => {
    const { code, errors } = await runImport('postgres://unknown:x@127.0.0.1:1/fleet', ['ndjson', '-']);
    expect(code).toBe(1);
    expect(errors).toMatch(
      /^fleet-api: the fleet database cannot be reached \(.*ECONNREFUSED.*\); check IMPORTER_DATABASE_URL\n$/,
    );
  });

  test('with an unreadable file', async () => {
    const secret = file('secret.prom', scrape('GPU-7'));
    chmodSync(secret, 0);
    const { code, errors } = await run(['dcgm', secret, ...attribution(6)]);
    // Root may read everything.
    if (process.getuid?.() === 0) expect(code).toBe(0);
    else expect([code, errors]).toEqual([1, expect.stringMatching(/permission denied/)]);
  });
});

describe('import ndjson -', () => {
  test('writes lines while the stream stays open, and ends with it', async () => {
    const { child, ended } = startImport(database.importerUrl, ['ndjson', '-'], folder);
    child.stdin.write(`${JSON.stringify(alertRecord(1, { customer_id: 20 }))}\n`);
    while ((await count('alerts', 'customer_id = 20')) !== 1) await sleep(50);
    // The process is up now: from here on a record is there within about a second.
    const began = Date.now();
    child.stdin.write(`${JSON.stringify(alertRecord(2, { customer_id: 20 }))}\n`);
    while ((await count('alerts', 'customer_id = 20')) !== 2) await sleep(20);
    expect(Date.now() - began).toBeLessThan(5_000);
    child.stdin.end('{"half');
    expect(await ended).toMatchObject({
      code: 0,
      output: expect.stringContaining('"written":2,"duplicate":0,"rejected":1'),
    });
    expect(rejected('stdin.rejects.ndjson')).toEqual([
      expect.objectContaining({ file: '-', line: 3, reason: expect.stringMatching(/^not JSON/) }),
    ]);
  });

  test.each(['SIGTERM', 'SIGINT'] as const)(
    '%s ends a stream: writes and counts what was read',
    async (signal) => {
      const customer_id = signal === 'SIGTERM' ? 21 : 22;
      const { child, ended } = startImport(database.importerUrl, ['ndjson', '-', '--quiet'], folder);
      child.stdin.write(`${JSON.stringify(alertRecord(1, { customer_id }))}\n`);
      while ((await count('alerts', `customer_id = ${customer_id}`)) !== 1) await sleep(50);
      child.stdin.write(`${JSON.stringify(alertRecord(2, { customer_id }))}\n`);
      child.kill(signal);
      const { code, output } = await ended;
      expect(code).toBe(0);
      const result = JSON.parse(output) as { written: number; interrupted: string };
      expect(result).toMatchObject({ interrupted: signal });
      expect(await count('alerts', `customer_id = ${customer_id}`)).toBe(result.written);
    },
  );

  test('aborts a hanging batch after a signal; the server rolls it back', async () => {
    const customer_id = 23;
    await run(['ndjson', '-', '--quiet'], JSON.stringify(alertRecord(1, { customer_id })));
    const { child, ended } = startImport(database.importerUrl, ['ndjson', '-', '--quiet'], folder);
    const pg = (await import('pg')).default;
    const blocker = new pg.Client({ connectionString: database.administratorUrl });
    await blocker.connect();
    await blocker.query('BEGIN');
    await blocker.query('SELECT seq FROM fleet.data_versions WHERE customer_id = 23 FOR UPDATE');
    child.stdin.write(`${JSON.stringify(alertRecord(2, { customer_id }))}\n`);
    const waiting = () =>
      rowsOf(
        database.administratorUrl,
        `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
    while ((await waiting()).length === 0) await sleep(50);
    const began = Date.now();
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({
      code: 143,
      output: expect.stringMatching(/"written":0,.*"interrupted":"SIGTERM","unwritten":1/),
    });
    expect(Date.now() - began).toBeLessThan(15_000);
    await blocker.query('COMMIT');
    await blocker.end();
    expect(await count('alerts', 'customer_id = 23')).toBe(1);
  });

  test('reads a pipe like a file', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const { ended } = startImport(database.importerUrl, ['ndjson', pipe, '--quiet'], folder);
    writeFileSync(pipe, JSON.stringify(alertRecord(1, { customer_id: 24 })));
    expect(await ended).toMatchObject({ code: 0, output: expect.stringContaining('"written":1') });
  });
});

test('exits with the code of SIGTERM in the middle of a file; importing it again continues', async () => {
  const records = Array.from({ length: 30_000 }, (_unused, n) =>
    JSON.stringify(alertRecord(n, { customer_id: 30 })),
  );
  const path = file('many.ndjson', records.join('\n'));
  const { child, ended } = startImport(database.importerUrl, ['ndjson', path, '--quiet'], folder);
  while ((await count('data_versions', 'customer_id = 30')) === 0) await sleep(20);
  child.kill('SIGTERM');
  const { code, output } = await ended;
  expect([code, JSON.parse(output)]).toEqual([143, expect.objectContaining({ interrupted: 'SIGTERM' })]);
  const { written } = JSON.parse(output) as { written: number };
  expect(await count('alerts', 'customer_id = 30')).toBe(written);
  expect(await run(['ndjson', path, '--quiet'])).toMatchObject({
    code: 0,
    result: { written: records.length - written, duplicate: written, rejected: 0 },
  });
});

/** A host's readings, a container on it that comes and goes, its process, and an XID between two samples. */
function thingLines(n: number): string[] {
  const owner = { customer_id: 1, workspace_id: 10, api_key_id: n % 3 === 0 ? 71 : null };
  const at = minutesAgo(500 - n / 8);
  const hostname = `host-${n % 7}`;
  const container_id = `c-${Math.floor(n / 100)}`;
  return [
    { kind: 'host_sample', ...owner, at, hostname, cpu_load_1m: n / 7, cpu_utilization_pct: n % 100 },
    { kind: 'container', ...owner, at, hostname, container_id, ...(n % 20 === 0 ? { mps: true } : {}) },
    { kind: 'process', ...owner, at, hostname, pid: n % 30, started_at: minutesAgo(900), container_id },
    { kind: 'xid_event', ...owner, at, gpu_id: `GPU-${n % 8}`, code: n % 40 === 0 ? 79 : 31 },
  ].map((record) => JSON.stringify(record));
}

/** Returns the tables without what depends on where an import was killed. */
async function comparable(url: string): Promise<object> {
  const tables = await fleetTables(url, { importClock: false });
  // The number of batches, and with it seq, depends on where the import was killed.
  const withoutSeq = (rows: string[] = []) =>
    rows.map((row) => row.replace(/"(state_|alerts_|telemetry_)?seq": \d+/g, ''));
  const { data_versions: versions, alert_past_states: _past, ...rest } = tables;
  return {
    ...rest,
    data_versions: withoutSeq(versions),
    alerts: withoutSeq(tables.alerts),
    alert_counts: tables.alert_counts?.filter((row) => !row.includes('"n": 0,')),
    entity_counts: tables.entity_counts?.filter((row) => !row.includes('"n": 0,')),
  };
}

test('repeated kills at any moment lose and duplicate nothing', async () => {
  const lines: string[] = [];
  for (let n = 0; n < 8; n += 1) lines.push(JSON.stringify(gpuRecord(`GPU-${n}`, { at: minutesAgo(600) })));
  for (let n = 0; n < ALERTS; n += 1) {
    lines.push(
      JSON.stringify(alertRecord(n)),
      JSON.stringify({
        ...sampleRecord(`GPU-${n % 8}`, minutesAgo(500 - n / 8), {
          utilization_pct: n % 100,
          xid_last_code: n % 500 === 0 ? 79 : 0,
          pcie_replays_total: n,
        }),
      }),
    );
    if (n % 50 === 0) lines.push(`{"kind":"alert","n":${n}}`);
    if (n % 10 === 0) lines.push(...thingLines(n));
    if (n % 3 === 0) {
      const state = n % 2 === 0 ? 'ignored' : 'active';
      lines.push(JSON.stringify({ ...alertStateRecord(n, state), at: minutesAgo(n - 0.5) }));
    }
  }
  const text = `${lines.join('\n')}\n`;

  const undisturbed = await createFleetDatabase();
  const disturbed = await createFleetDatabase();
  try {
    const inPieces = async (url: string, name: string, kill: number | null) => {
      mkdirSync(join(folder, name), { recursive: true });
      const { child, ended } = startImport(url, ['ndjson', '-', '--quiet'], join(folder, name));
      let alive = true;
      void ended.then(() => (alive = false));
      if (kill !== null) setTimeout(() => child.kill('SIGKILL'), kill);
      // A stream that stops for a moment is written in many small batches.
      for (let start = 0; start < text.length && alive; start += 60_000) {
        child.stdin.write(text.slice(start, start + 60_000));
        await sleep(kill === null ? 0 : 30);
      }
      child.stdin.end();
      return ended;
    };
    const whole = await inPieces(undisturbed.importerUrl, 'undisturbed', null);
    expect(whole.code).toBe(0);
    for (let kill = 0; kill < KILLS; kill += 1)
      await inPieces(disturbed.importerUrl, 'disturbed', 400 + ((kill * 7919) % 1_000));
    const last = await inPieces(disturbed.importerUrl, 'disturbed', null);
    expect(last.code).toBe(0);

    expect(await comparable(disturbed.administratorUrl)).toEqual(
      await comparable(undisturbed.administratorUrl),
    );
    const rejects = (name: string) =>
      readFileSync(join(folder, name, 'stdin.rejects.ndjson'), 'utf8')
        .trimEnd()
        .split('\n')
        .sort();
    expect(rejects('disturbed')).toEqual(rejects('undisturbed'));
    expect(rejects('disturbed').length).toBe(ALERTS / 50);
  } finally {
    await undisturbed.drop();
    await disturbed.drop();
  }
});

test('repeated kills between and within pages of an exporter lose and duplicate nothing', async () => {
  const pages = Array.from({ length: PAGES }, (_unused, n) =>
    file(`amd-${n}.prom`, pageAt(`${amdPage()}\nrejected_series 1`, minutesAgo(100 - n))),
  );
  const args = ['amd', ...pages, ...attribution(1), '--host', 'node-1', '--quiet'];
  const undisturbed = await createFleetDatabase();
  const disturbed = await createFleetDatabase();
  const cwdOf = (name: string) => {
    mkdirSync(join(folder, 'amd', name), { recursive: true });
    return join(folder, 'amd', name);
  };
  const pagesIn = async () => {
    const rows = await rowsOf(disturbed.administratorUrl, 'SELECT FROM fleet.import_digests');
    return rows.length;
  };
  try {
    const whole = await runImport(undisturbed.importerUrl, args, { cwd: cwdOf('undisturbed') });
    expect(whole).toMatchObject({ code: 0, result: { duplicate: 0 } });
    for (const stored of [1, PAGES / 3]) {
      const { child, ended } = startImport(disturbed.importerUrl, args, cwdOf('disturbed'));
      while ((await pagesIn()) < stored && child.exitCode === null) await sleep(5);
      child.kill('SIGKILL');
      await ended;
    }
    expect(await pagesIn()).toBeGreaterThan(0);
    const last = await runImport(disturbed.importerUrl, args, { cwd: cwdOf('disturbed') });
    expect(last.code).toBe(0);
    expect(await comparable(disturbed.administratorUrl)).toEqual(
      await comparable(undisturbed.administratorUrl),
    );
    const rejects = (name: string) =>
      rejected(join('amd', name, 'amd-0.prom.rejects.ndjson'))
        .map((line) => JSON.stringify(line))
        .sort();
    expect(rejects('disturbed')).toEqual(rejects('undisturbed'));
    expect(rejects('disturbed')).toHaveLength(PAGES);
  } finally {
    await undisturbed.drop();
    await disturbed.drop();
  }
});

test.each([
  ['ndjson', JSON.stringify(alertRecord(900, { customer_id: 6, workspace_id: 60 }))],
  ['xid', `${minutesAgo(5)} node-1 kernel: NVRM: Xid (PCI:0000:3b:00): 31, pid=9, MMU Fault`],
  [
    'falco',
    JSON.stringify({
      time: minutesAgo(5),
      rule: 'Terminal shell in container',
      priority: 'Notice',
      source: 'syscall',
      output: 'a shell',
    }),
  ],
])('import %s --workspace-name records the name, once', async (format, text) => {
  const args = [format, '-', '--customer', '6', '--workspace', '60', '--workspace-name', `Lab ${format}`];
  expect(await run(args, `${text}\n`)).toMatchObject({ code: 0, result: { rejected: 0 } });
  expect(await count('workspaces', `customer_id = 6 AND name = 'Lab ${format}'`)).toBe(1);
  if (format !== 'ndjson') return;
  const before = await fleetTables(database.administratorUrl);
  expect(await run(args, `${text}\n`)).toMatchObject({ code: 0, result: { written: 0 } });
  expect(await fleetTables(database.administratorUrl)).toEqual(before);
});
