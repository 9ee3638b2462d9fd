import pg from 'pg';
import { scramVerifier } from './scram-verifier.ts';

export interface Role {
  name: string;
  password: string;
}

interface DatabasePreparation {
  /** URL of a role that may create roles, and schemas in this database. It does not have to be a superuser. */
  administratorUrl: string;
  schema: string;
  /** Owns the schema and runs migrations. */
  owner: Role;
  /** Roles that have only the rights that migrations grant them. */
  runtimes: Role[];
}

/** SQLSTATEs of a race: roles belong to the whole server, so preparing two databases at once may collide. A retry succeeds. */
const COLLISIONS = [
  'XX000', // internal_error: "tuple concurrently updated"
  '40001', // serialization_failure
  '40P01', // deadlock_detected
  '23505', // unique_violation: the same role, created twice
  '42710', // duplicate_object
];
const ATTEMPTS = 5;
/** Create large objects, which need no grant on a schema or table: even a read-only role could store data. */
const LARGE_OBJECT_MAKERS = ['lo_creat(integer)', 'lo_create(oid)', 'lo_from_bytea(oid, bytea)'];

/**
 * Creates or updates a service's schema and roles in one transaction. The owner owns only this schema, runtime roles have
 * only the rights that migrations grant, and other roles cannot connect by default. The server cancels statements of a
 * runtime role whose client has disconnected.
 *
 * @throws {Error} when a role is the administrator or a superuser, or has no password
 */
export async function prepareDatabase(preparation: DatabasePreparation): Promise<void> {
  const { administratorUrl: connectionString } = preparation;
  const client = new pg.Client({ connectionString, application_name: 'prepare-database' });
  await client.connect();
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        await client.query('BEGIN');
        await prepare(client, preparation);
        await client.query('COMMIT');
        return;
      } catch (error) {
        await client.query('ROLLBACK');
        const isCollision = error instanceof pg.DatabaseError && COLLISIONS.includes(error.code ?? '');
        if (!isCollision || attempt === ATTEMPTS) throw error;
      }
    }
  } finally {
    await client.end();
  }
}

async function prepare(client: pg.Client, preparation: DatabasePreparation): Promise<void> {
  const { schema, owner, runtimes } = preparation;
  // Serializes the preparation of services that share a server.
  await client.query("SELECT pg_advisory_xact_lock(hashtextextended('gpu-observatory:roles', 0))");
  const roles = [owner, ...runtimes];
  const repeated = roles.find((role, index) => roles.findIndex(({ name }) => name === role.name) !== index);
  if (repeated)
    throw new Error(
      `the role ${repeated.name} is in more than one database URL: use a separate role for each URL`,
    );
  for (const role of roles) await ensureRole(client, role);

  const database = pg.escapeIdentifier(client.database ?? '');
  const schemaName = pg.escapeIdentifier(schema);
  const ownerName = pg.escapeIdentifier(owner.name);
  await client.query(`REVOKE ALL ON DATABASE ${database} FROM PUBLIC`);
  await client.query('REVOKE ALL ON SCHEMA public FROM PUBLIC');
  // Only a superuser may revoke these; for another administrator the statement is a warning without effect.
  for (const maker of LARGE_OBJECT_MAKERS) {
    await client.query(`REVOKE EXECUTE ON FUNCTION pg_catalog.${maker} FROM PUBLIC`);
  }
  // An administrator that is not a superuser must be a member of the role that will own the schema.
  await client.query(`GRANT ${ownerName} TO CURRENT_USER`);
  await client.query(`CREATE SCHEMA IF NOT EXISTS ${schemaName} AUTHORIZATION ${ownerName}`);
  for (const role of roles) {
    const name = pg.escapeIdentifier(role.name);
    await client.query(`GRANT CONNECT ON DATABASE ${database} TO ${name}`);
    await client.query(`ALTER ROLE ${name} IN DATABASE ${database} SET search_path = ${schemaName}`);
    await client.query(`GRANT USAGE ON SCHEMA ${schemaName} TO ${name}`);
  }
  const planCacheMode = (await hasCitus(client)) ? 'auto' : 'force_generic_plan';
  for (const { name } of runtimes) {
    const settings = `ALTER ROLE ${pg.escapeIdentifier(name)} IN DATABASE ${database} SET`;
    await client.query(`${settings} client_connection_check_interval = '1s'`);
    await client.query(`${settings} idle_in_transaction_session_timeout = '60s'`);
    // LIMIT is a parameter, and the planner assumes a large value for it, so it would replan prepared statements at each
    // execution. With a year of partitions, planning costs more than execution. Citus needs the customer id to
    // select the node: it caches a plan only when the id is in the text, and plans other statements at each execution.
    await client.query(`${settings} plan_cache_mode = '${planCacheMode}'`);
    // One CPU per request, so that a large scan does not take CPU time from other requests.
    await client.query(`${settings} max_parallel_workers_per_gather = 0`);
    // A page of 10,000 alerts is sorted in 6 MB; with the default of 4 MB the sort writes to disk.
    await client.query(`${settings} work_mem = '16MB'`);
    // Statements with high estimated costs run for milliseconds. Their compilation takes 100 ms at each execution.
    await client.query(`${settings} jit = off`);
  }
}

async function hasCitus(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query("SELECT FROM pg_extension WHERE extname = 'citus'");
  return rowCount === 1;
}

/** Creates a login role, or sets the password of an existing one and removes attributes beyond LOGIN. */
async function ensureRole(client: pg.Client, role: Role): Promise<void> {
  if (role.password === '') throw new Error(`the URL of the role ${role.name} has no password`);
  const { rows } = await client.query<RoleAttributes>(
    `SELECT rolsuper AS superuser, rolname = CURRENT_USER AS administrator, rolcreatedb AS createdb,
            rolcreaterole AS createrole, rolreplication AS replication, rolbypassrls AS bypassrls
       FROM pg_roles WHERE rolname = $1`,
    [role.name],
  );
  const [existing] = rows;
  if (existing?.superuser || existing?.administrator) {
    throw new Error(
      `the role ${role.name} is a superuser or the administrator: use a separate role for the service`,
    );
  }
  // Changing an attribute requires having it, even to remove it, so the statement lists only attributes to remove.
  const excess = existing
    ? (['createdb', 'createrole', 'replication', 'bypassrls'] as const).filter((name) => existing[name])
    : [];
  await client.query(
    `${existing ? 'ALTER' : 'CREATE'} ROLE ${pg.escapeIdentifier(role.name)} LOGIN
       ${excess.map((name) => `NO${name.toUpperCase()}`).join(' ')}
       PASSWORD ${pg.escapeLiteral(scramVerifier(role.password))}`,
  );
}

interface RoleAttributes {
  superuser: boolean;
  administrator: boolean;
  createdb: boolean;
  createrole: boolean;
  replication: boolean;
  bypassrls: boolean;
}

/** Returns the role and the password in a database URL. */
export function roleOf(databaseUrl: string): Role {
  const url = new URL(databaseUrl);
  return { name: decodeURIComponent(url.username), password: decodeURIComponent(url.password) };
}
