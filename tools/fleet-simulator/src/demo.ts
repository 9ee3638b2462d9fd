import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { checkData, checkSettings } from './check-trial.ts';
import { simulateHistory } from './history.ts';
import { simulateLive } from './live.ts';
import { writeLines } from './write-lines.ts';

/**
 * Imports a simulated fleet into the database of IMPORTER_DATABASE_URL: its history, unless the customer has it, then
 * live data until SIGTERM. After a restart it continues where the last import ended. Exits with 1 if the customer has
 * data of another source, or the settings are not those of a trial. With `--check` it only checks this.
 */
const { values } = parseArgs({
  options: {
    customer: { type: 'string', default: '1' },
    workspace: { type: 'string', default: '1' },
    'workspace-name': { type: 'string', default: 'Default' },
    hosts: { type: 'string', default: '8' },
    gpus: { type: 'string', default: '64' },
    alerts: { type: 'string', default: '2000' },
    days: { type: 'string', default: '30' },
    check: { type: 'boolean', default: false },
  },
});

const fleet = {
  tenants: [
    {
      customer_id: Number(values.customer),
      workspaces: [
        { workspace_id: Number(values.workspace), name: values['workspace-name'], api_key_ids: [] },
      ],
    },
  ],
  hosts: Number(values.hosts),
  gpus: Number(values.gpus),
  alerts: Number(values.alerts),
  days: Number(values.days),
};

const importer = fileURLToPath(new URL('../../../apps/fleet-api/dist/src/cli.js', import.meta.url));
const stop = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort());

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  checkSettings(process.env);
  const last = await readLastImport();
  if (values.check) return;
  const options = { ...fleet, now: last ?? new Date() };
  if (last === undefined) await importLines(simulateHistory(options));
  if (!stop.signal.aborted) await importLines(simulateLive(options, { signal: stop.signal }));
}

/** Returns the time of the last import of the customer, or undefined for the first start. Checks its data. */
async function readLastImport(): Promise<Date | undefined> {
  const client = new pg.Client({ connectionString: process.env['IMPORTER_DATABASE_URL'] });
  await client.connect();
  try {
    await checkData(client, { ...fleet, now: new Date() });
    const { rows } = await client.query<{ imported_at: Date }>(
      'SELECT imported_at FROM fleet.data_versions WHERE customer_id = $1',
      [Number(values.customer)],
    );
    return rows[0]?.imported_at;
  } finally {
    await client.end();
  }
}

/** Imports lines until SIGTERM. The importer exits after it has written the last ones. Exits with 1 if it fails. */
async function importLines(lines: Iterable<string> | AsyncIterable<string>): Promise<void> {
  const args = ['import', 'ndjson', '-', '--quiet'];
  const child = spawn(process.execPath, [importer, ...args], { stdio: ['pipe', 'inherit', 'inherit'] });
  const [[code]] = await Promise.all([once(child, 'exit'), writeLines(lines, child.stdin, stop.signal)]);
  if (!stop.signal.aborted && code !== 0) process.exit(1);
}
