import { createHash, randomBytes } from 'node:crypto';
import type pg from 'pg';
import { withClient } from '@gpu-observatory/embedded-database';

export type TestDatabase = Awaited<ReturnType<typeof createTestDatabase>>;

/** One lock for all templates, because preparations of different services must not create roles concurrently. */
const TEMPLATE_LOCK = 'gpu-observatory test templates';

/**
 * Creates a database for one test file by cloning a template, which is prepared once per Jest run and key.
 *
 * Preparations never run concurrently. All databases of the server share its roles, so `prepare` must create a role only if
 * it is missing, always with the same password.
 *
 * @param templateKey identifies the template, for example by the service
 * @param prepare sets up the template through a superuser URL: roles, migrations, common rows
 */
export async function createTestDatabase(templateKey: string, prepare: (adminUrl: string) => Promise<void>) {
  const { adminUrl, prefix } = testServer();
  const template = `${prefix}template_${createHash('sha256').update(templateKey).digest('hex').slice(0, 12)}`;
  const name = `${prefix}${randomBytes(6).toString('hex')}`;
  await withClient(adminUrl, async (client) => {
    await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [TEMPLATE_LOCK]);
    await ensureTemplate(client, template, () => prepare(databaseUrl(adminUrl, template)));
    await client.query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', [TEMPLATE_LOCK]);
    // Without fsync, as on the test server, copying files is faster than the default strategy wal_log.
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
  });
  return {
    /** `postgres://` URL of the superuser on this database. */
    url: databaseUrl(adminUrl, name),
    name,
    /** Deletes the database and closes its sessions. */
    drop: () =>
      withClient(adminUrl, async (client) => {
        await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      }),
  };
}

/** Deletes all databases of this Jest run from a server that continues to run. */
export async function dropTestDatabases(): Promise<void> {
  const { adminUrl, prefix } = testServer();
  await withClient(adminUrl, async (client) => {
    const { rows } = await client.query<{ name: string; is_template: boolean }>(
      'SELECT datname AS name, datistemplate AS is_template FROM pg_database WHERE starts_with(datname, $1)',
      [prefix],
    );
    for (const { name, is_template } of rows) {
      if (is_template) await client.query(`ALTER DATABASE ${name} IS_TEMPLATE false`);
      await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    }
  });
}

/** Returns the server of Jest's global setup and the name prefix of this run's databases. */
function testServer(): { adminUrl: string; prefix: string } {
  const adminUrl = process.env['TEST_DATABASE_ADMIN_URL'];
  const run = process.env['TEST_DATABASE_RUN'];
  if (!adminUrl || !run) {
    throw new Error('No test server: run Jest with jest.config.mjs of the root folder.');
  }
  return { adminUrl, prefix: `test_${run}_` };
}

async function ensureTemplate(
  client: pg.Client,
  template: string,
  prepare: () => Promise<void>,
): Promise<void> {
  // IS_TEMPLATE is set last. A database without it was left incomplete by a killed worker.
  const { rows } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1 AND datistemplate', [
    template,
  ]);
  if (rows.length > 0) return;
  await client.query(`DROP DATABASE IF EXISTS ${template} WITH (FORCE)`);
  await client.query(`CREATE DATABASE ${template}`);
  await prepare();
  // An open session on the template would make every clone fail.
  await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [template]);
  await client.query(`ALTER DATABASE ${template} ALLOW_CONNECTIONS false IS_TEMPLATE true`);
}

function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}
