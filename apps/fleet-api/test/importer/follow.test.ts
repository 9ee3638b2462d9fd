import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startDatabaseProxy } from '../support/database-proxy.ts';
import { useFleetDatabase } from '../support/fleet-database.ts';
import { rowsOf } from '../support/fleet-tables.ts';
import { startImport } from '../support/import-process.ts';
import { alertRecord, minutesAgo } from '../support/records.ts';

const database = useFleetDatabase();
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleet-follow-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const follow = (format: string, customer: number, url = database.importerUrl) =>
  startImport(
    url,
    [format, '-', '--follow', '--quiet', '--customer', String(customer), '--workspace', '10'],
    folder,
  );
const count = async (table: string, customer: number) => {
  const [row] = await rowsOf<{ n: number }>(
    database.administratorUrl,
    `SELECT count(*) AS n FROM fleet.${table} WHERE customer_id = ${customer}`,
  );
  return row?.n ?? 0;
};
const until = async (isTrue: () => Promise<boolean>) => {
  while (!(await isTrue())) await sleep(50);
};

/** One line of each format that can be followed, and the table that it adds a row to. */
const formats: Record<string, { table: string; line: (n: number) => string }> = {
  ndjson: { table: 'alerts', line: (n) => JSON.stringify(alertRecord(n, { customer_id: undefined })) },
  falco: {
    table: 'alerts',
    line: (n) =>
      JSON.stringify({ rule: 'R', priority: 'Warning', time: minutesAgo(1_000 - n / 100), output: `${n}` }),
  },
  xid: {
    table: 'gpu_xid_events',
    line: (n) =>
      `${minutesAgo(1_000 - n / 100).replace('Z', '+00:00')} node-1 kernel: NVRM: Xid (PCI:0000:9b:00): 31, number ${n}`,
  },
};

test.each(Object.entries(formats))(
  '%s: stores lines within about a second, and a signal loses none',
  async (format, { table, line }) => {
    const customer = 1 + Object.keys(formats).indexOf(format);
    const { child, ended } = follow(format, customer);
    child.stdin.write(`${line(0)}\n`);
    await until(async () => (await count(table, customer)) === 1);
    const began = Date.now();
    child.stdin.write(`${line(1)}\n${line(2)}\n`);
    await until(async () => (await count(table, customer)) === 3);
    expect(Date.now() - began).toBeLessThan(5_000);
    // Received by the process, but not yet read.
    const lines = Array.from({ length: 497 }, (_unused, n) => `${line(n + 3)}\n`).join('');
    await new Promise((received) => child.stdin.write(lines, received));
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({
      code: 0,
      output: expect.stringContaining('"interrupted":"SIGTERM"'),
    });
    expect(await count(table, customer)).toBe(500);
  },
);

test.each([
  ['falco', 10, 'alerts'],
  ['xid', 13, 'gpu_xid_events'],
])(
  '%s: after kills at any moment, importing the same input again loses and duplicates nothing',
  async (format, customer, table) => {
    const KILLS = process.env['NIGHTLY_SEED'] ? 10 : 1;
    const { line } = formats[format] as (typeof formats)[string];
    const lines = Array.from({ length: 3_000 }, (_unused, n) => line(n));
    const feed = async (kill: number | null) => {
      const { child, ended } = follow(format, customer);
      let alive = true;
      void ended.then(() => (alive = false));
      if (kill !== null) setTimeout(() => child.kill('SIGKILL'), kill);
      for (let start = 0; start < lines.length && alive; start += 300) {
        child.stdin.write(`${lines.slice(start, start + 300).join('\n')}\n`);
        await sleep(kill === null ? 0 : 60);
      }
      child.stdin.end();
      return ended;
    };
    for (let kill = 0; kill < KILLS; kill += 1) await feed(900 + ((kill * 7919) % 1_200));
    expect(await feed(null)).toMatchObject({ code: 0 });
    expect([await count(table, customer), await count('alert_timeline_events', customer)]).toEqual([
      3_000, 3_000,
    ]);
    const [counted] = await rowsOf<Record<string, number>>(
      database.administratorUrl,
      `SELECT (SELECT sum(n)::integer FROM fleet.alert_counts
               WHERE customer_id = $1 AND scope_kind = 0 AND grain = 0) AS alerts,
              (SELECT coalesce(sum(xid_errors), 0)::integer FROM fleet.metric_days
               WHERE customer_id = $1 AND scope_kind = 0) AS incidents`,
      [customer],
    );
    // Lines are 0.6 s apart, so the log of 30 minutes is one incident.
    expect(counted).toEqual(format === 'xid' ? { alerts: 1, incidents: 1 } : { alerts: 3_000, incidents: 0 });
  },
);

test('waits while the database is unavailable, and reports it', async () => {
  const proxy = await startDatabaseProxy(database.importerUrl);
  const { table, line } = formats.ndjson as (typeof formats)[string];
  const { child, ended } = follow('ndjson', 11, proxy.url);
  try {
    child.stdin.write(`${line(0)}\n`);
    await until(async () => (await count(table, 11)) === 1);
    proxy.cut();
    for (let n = 1; n < 100; n += 1) child.stdin.write(`${line(n)}\n`);
    await sleep(1_500);
    proxy.restore();
    await until(async () => (await count(table, 11)) === 100);
    child.stdin.end();
    const { code, output, errors } = await ended;
    expect([code, JSON.parse(output)]).toEqual([0, { written: 100, duplicate: 0, rejected: 0 }]);
    expect(errors).toMatch(
      /^\{"database":"unavailable","reason":".+"\}\n(?:.*\n)*\{"database":"available"\}\n$/,
    );
  } finally {
    child.kill('SIGKILL');
    await proxy.stop();
  }
});

test('ends at the end of a file on standard input', async () => {
  const { line } = formats.xid as (typeof formats)[string];
  const file = join(folder, 'kernel.log');
  writeFileSync(file, [line(1), 'usb 1-2: New USB device found', line(2)].join('\n'));
  const program = fileURLToPath(new URL('../../dist/src/cli.js', import.meta.url));
  const command = `"${process.execPath}" "${program}" import xid - --follow --quiet --customer 12 --workspace 1 < "${file}"`;
  const { stdout } = await promisify(execFile)('sh', ['-c', command], {
    env: { PATH: process.env.PATH, IMPORTER_DATABASE_URL: database.importerUrl },
    cwd: folder,
  });
  // A GPU without inventory, and two events.
  expect(JSON.parse(stdout)).toEqual({ written: 3, duplicate: 0, rejected: 0, skipped: 1 });
});
