import pg from 'pg';

export interface Role {
  name: string;
  password: string;
}

export interface DatabasePreparation {
  /** A role that may create roles, schemas and extensions, on the database in question. */
  administratorUrl: string;
  schema: string;
  /** Owns the schema and migrates it. */
  owner: Role;
  /** Use what the migrations grant them, nothing more. */
  runtimes: Role[];
  /** Trusted extensions that the schema's indexes need. */
  extensions?: string[];
}

/**
 * Makes a service's schema and roles, or brings existing ones to this state: the owner owns its schema alone, runtime
 * roles may use it as the migrations grant, nobody else may connect to anything by default, and a runtime statement
 * whose client went away, or that runs past every caller's patience, is stopped by the server.
 */
export async function prepareDatabase(preparation: DatabasePreparation): Promise<void> {
  const { administratorUrl, schema, owner, runtimes, extensions = [] } = preparation;
  const client = new pg.Client({ connectionString: administratorUrl, application_name: 'prepare-database' });
  await client.connect();
  try {
    // Roles belong to the whole server: services that share one are prepared one after the other.
    await client.query("SELECT pg_advisory_lock(hashtextextended('gpu-observatory:roles', 0))");
    const database = pg.escapeIdentifier(client.database ?? '');
    const schemaName = pg.escapeIdentifier(schema);
    for (const role of [owner, ...runtimes]) await ensureRole(client, role);
    await client.query(`REVOKE ALL ON DATABASE ${database} FROM PUBLIC`);
    await client.query('REVOKE ALL ON SCHEMA public FROM PUBLIC');
    // An administrator that is no superuser may hand out a schema only to a role it is a member of.
    await client.query(`GRANT ${pg.escapeIdentifier(owner.name)} TO CURRENT_USER`);
    await client.query(
      `CREATE SCHEMA IF NOT EXISTS ${schemaName} AUTHORIZATION ${pg.escapeIdentifier(owner.name)}`,
    );
    for (const extension of extensions) {
      await client.query(
        `CREATE EXTENSION IF NOT EXISTS ${pg.escapeIdentifier(extension)} SCHEMA ${schemaName}`,
      );
    }
    for (const role of [owner, ...runtimes]) {
      const name = pg.escapeIdentifier(role.name);
      await client.query(`GRANT CONNECT ON DATABASE ${database} TO ${name}`);
      await client.query(`ALTER ROLE ${name} IN DATABASE ${database} SET search_path = ${schemaName}`);
      await client.query(`GRANT USAGE ON SCHEMA ${schemaName} TO ${name}`);
    }
    for (const { name } of runtimes) {
      const settings = `ALTER ROLE ${pg.escapeIdentifier(name)} IN DATABASE ${database} SET`;
      await client.query(`${settings} client_connection_check_interval = '1s'`);
      await client.query(`${settings} idle_in_transaction_session_timeout = '60s'`);
    }
  } finally {
    await client.end();
  }
}

async function ensureRole(client: pg.Client, role: Role): Promise<void> {
  const name = pg.escapeIdentifier(role.name);
  const exists = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role.name]);
  const verb = exists.rowCount === 0 ? 'CREATE' : 'ALTER';
  await client.query(
    `${verb} ROLE ${name} LOGIN NOCREATEDB NOCREATEROLE NOREPLICATION PASSWORD ${pg.escapeLiteral(role.password)}`,
  );
}

/** The role that a URL names, with its password. */
export function roleOf(databaseUrl: string): Role {
  const url = new URL(databaseUrl);
  return { name: decodeURIComponent(url.username), password: decodeURIComponent(url.password) };
}
