import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';

export interface TestDatabase {
  /** `postgres://` URL of the superuser on this database. */
  url: string;
  name: string;
  /** Deletes the database; sessions that are still open are cut. */
  drop(): Promise<void>;
}

/** One lock for every template: roles belong to the whole server, so two services' set-ups must not make them at once. */
const TEMPLATE_LOCK = 'gpu-observatory test templates';

/**
 * A fresh database for one test file, cloned from a template that is prepared once a Jest run and key.
 *
 * Preparations never run at the same time. Roles are shared by all databases of the server, so `prepare` makes a role
 * only if it is missing, and gives it the same password every time.
 *
 * @param templateKey names what `prepare` makes, for example the service
 * @param prepare sets the template up through a superuser URL on it: roles, migrations, rows every test wants
 */
export async function createTestDatabase(
  templateKey: string,
  prepare: (adminUrl: string) => Promise<void>,
): Promise<TestDatabase> {
  const { adminUrl, prefix } = testServer();
  const template = `${prefix}template_${createHash('sha256').update(templateKey).digest('hex').slice(0, 12)}`;
  const name = `${prefix}${randomBytes(6).toString('hex')}`;
  await withClient(adminUrl, async (client) => {
    await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [TEMPLATE_LOCK]);
    await ensureTemplate(client, template, () => prepare(databaseUrl(adminUrl, template)));
    await client.query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', [TEMPLATE_LOCK]);
    // Copying files beats writing pages through the log where nothing is synced to disk, as on the test server.
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
  });
  return {
    url: databaseUrl(adminUrl, name),
    name,
    drop: () =>
      withClient(adminUrl, async (client) => {
        await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      }),
  };
}

/** Deletes every database of this Jest run; for a server that outlives it. */
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

/** The server that Jest's global set-up started or was given, and how this run's databases are named there. */
function testServer(): { adminUrl: string; prefix: string } {
  const adminUrl = process.env['TEST_DATABASE_ADMIN_URL'];
  const run = process.env['TEST_DATABASE_RUN'];
  if (!adminUrl || !run) {
    throw new Error('There is no test server: run Jest with a configuration made by jest.project.mjs.');
  }
  return { adminUrl, prefix: `test_${run}_` };
}

async function ensureTemplate(
  client: pg.Client,
  template: string,
  prepare: () => Promise<void>,
): Promise<void> {
  // The mark of a template is set last: a database without it is what a killed worker left half prepared.
  const { rows } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1 AND datistemplate', [
    template,
  ]);
  if (rows.length > 0) return;
  await client.query(`DROP DATABASE IF EXISTS ${template} WITH (FORCE)`);
  await client.query(`CREATE DATABASE ${template}`);
  await prepare();
  // A session left open on the template would make every clone fail.
  await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [template]);
  await client.query(`ALTER DATABASE ${template} ALLOW_CONNECTIONS false IS_TEMPLATE true`);
}

async function withClient(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}
