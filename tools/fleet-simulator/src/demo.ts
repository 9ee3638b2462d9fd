import { spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { checkData, checkSettings } from './check-trial.ts';

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

const simulator = fileURLToPath(new URL('main.ts', import.meta.url));
const importer = fileURLToPath(new URL('../../../apps/fleet-api/dist/src/cli.js', import.meta.url));
const children: ReturnType<typeof start>[] = [];
let isStopping = false;
// The importer ends with its input, after it has written the last records.
process.once('SIGTERM', stop).once('SIGINT', stop);

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
  const now = last ?? new Date();
  if (last === undefined) await run('history', now);
  if (!isStopping) await run('live', now);
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

/** Pipes the simulator into the importer until one of them ends. Exits with 1 if one fails. */
async function run(mode: 'history' | 'live', now: Date): Promise<void> {
  const generated = start([simulator, mode], ['pipe', 'pipe', 'inherit']);
  const imported = start(
    [importer, 'import', 'ndjson', '-', '--quiet'],
    [generated.stdout, 'inherit', 'inherit'],
  );
  children.splice(0, Infinity, generated, imported);
  // Our end of the pipe would keep the importer from seeing the end of its input.
  generated.stdout?.destroy();
  generated.stdin?.on('error', () => {}); // The exit code reports the failure.
  generated.stdin?.end(JSON.stringify({ ...fleet, now: now.toISOString() }));
  const codes = await Promise.all([generated, imported].map(async (child) => (await once(child, 'exit'))[0]));
  if (!isStopping && codes.some((code) => code !== 0)) process.exit(1);
}

function start(args: string[], stdio: StdioOptions) {
  return spawn(process.execPath, args, { stdio });
}

function stop(): void {
  isStopping = true;
  children[0]?.kill('SIGTERM');
}
