import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { text } from 'node:stream/consumers';
import { createTestDatabase, type TestDatabase } from '@gpu-observatory/testing';
import pg from 'pg';

const demo = fileURLToPath(new URL('../src/demo.ts', import.meta.url));
const operations = fileURLToPath(new URL('../../../apps/fleet-api/dist/src/cli.js', import.meta.url));
const size = ['--hosts', '8', '--gpus', '16', '--alerts', '100', '--days', '2'];

/** Runs a command until it ends. */
async function run(args: string[], env: Record<string, string>, input = '') {
  const child = spawn(process.execPath, args, { env });
  child.stdin.end(input);
  const [output, error] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: child.exitCode, output, error };
}

const roleUrl = (url: string, role: string) => {
  const changed = new URL(url);
  Object.assign(changed, { username: role, password: 'of-a-test-role' });
  return changed.href;
};
const environmentOf = (url: string) => ({
  ADMINISTRATOR_DATABASE_URL: url,
  OWNER_DATABASE_URL: roleUrl(url, 'fleet_owner'),
  DATABASE_URL: roleUrl(url, 'fleet_api'),
  IMPORTER_DATABASE_URL: roleUrl(url, 'fleet_importer'),
});

let database: TestDatabase;
let env: ReturnType<typeof environmentOf>;
beforeAll(async () => {
  database = await createTestDatabase('fleet of the demo', async (url) => {
    for (const args of [['database', 'prepare'], ['migrate']]) {
      const { code, error } = await run([operations, ...args], environmentOf(url));
      if (code !== 0) throw new Error(error);
    }
  });
  env = environmentOf(database.url);
}, 60_000);
afterAll(() => database.drop());

const check = (...args: string[]) => run([demo, '--check', ...size, ...args], env);
const imports = (...records: object[]) =>
  run(
    [operations, 'import', 'ndjson', '-', '--quiet'],
    env,
    records.map((record) => `${JSON.stringify(record)}\n`).join(''),
  );

test('imports its history, and continues after a restart', async () => {
  const child = spawn(process.execPath, [demo, ...size], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const errors = text(child.stderr);
  const client = new pg.Client({ connectionString: env.DATABASE_URL });
  await client.connect();
  const isLive = async () => {
    const { rows } = await client.query<{ n: number }>(
      "SELECT count(*)::int AS n FROM fleet.gpu_samples WHERE at > now() - interval '1 minute' AND customer_id = 1",
    );
    return rows[0]!.n > 0;
  };
  while (child.exitCode === null && !(await isLive())) await new Promise((done) => setTimeout(done, 200));
  await client.end();
  child.kill('SIGTERM');
  await once(child, 'exit');
  expect(await errors).toBe('');
  expect(await check()).toMatchObject({ code: 0, error: '' });
}, 60_000);

const at = new Date().toISOString();
const owner = { workspace_id: 1, api_key_id: null };
const alert = { title: 'A', description: 'B', type: 'gpu_thermal', severity: 'high', created_at: at };
const alertId = '00000000-0000-4000-8000-000000000001';
test.each([
  [2, 'host dgx-01', { kind: 'host', at, hostname: 'dgx-01' }],
  [3, 'GPU GPU-1', { kind: 'gpu', at, gpu_id: 'GPU-1', hostname: '' }],
  [4, `alert ${alertId}`, { kind: 'alert', id: alertId, ...alert }],
])('imports nothing into customer %i, which has the %s', async (customer, name, record) => {
  expect((await imports({ ...record, ...owner, customer_id: customer })).code).toBe(0);
  const { code, error } = await run([demo, '--check', ...size, '--customer', `${customer}`], env);
  expect(code).toBe(1);
  expect(error).toContain(
    `customer ${customer} has data that is not of this simulated fleet: ${name}. Nothing is imported.`,
  );
});

test('imports nothing into a simulated fleet that has got other data since', async () => {
  await imports({ kind: 'host', at, hostname: 'dgx-02', ...owner, customer_id: 1 });
  expect(await check()).toMatchObject({ code: 1, error: expect.stringContaining('host dgx-02') as string });
});

test.each([
  ['FLEET_URL', 'https://fleet.corp.example'],
  ['OIDC_CLIENT_ID', 'console'],
])('rejects the setting of a real deployment: %s', async (name, value) => {
  const { code, error } = await run([demo, '--check', '--customer', '9'], { ...env, [name]: value });
  expect([code, error]).toEqual([1, expect.stringMatching(`^${name}: set, but a trial has simulated data`)]);
});

test('accepts the settings of a trial', async () => {
  const settings = { FLEET_URL: 'http://localhost:3001', SITE_URL: '', OIDC_CLIENT_ID: '' };
  expect(await run([demo, '--check', '--customer', '9'], { ...env, ...settings })).toMatchObject({ code: 0 });
});
