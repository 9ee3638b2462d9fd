import pg from 'pg';
import { scramVerifier } from './scram-verifier.ts';

export interface Role {
  name: string;
  password: string;
}

export interface DatabasePreparation {
  /** A role that may create roles, and schemas on the database in question. It need not be a superuser. */
  administratorUrl: string;
  schema: string;
  /** Owns the schema and migrates it. */
  owner: Role;
  /** Use what the migrations grant them, nothing more. */
  runtimes: Role[];
  /** Trusted extensions that the schema's indexes need. */
  extensions?: string[];
}

/** Roles belong to the whole server: preparing two databases at once may collide in these ways, and goes well again. */
const COLLISIONS = [
  'XX000', // internal_error: "tuple concurrently updated"
  '40001', // serialization_failure
  '40P01', // deadlock_detected
  '23505', // unique_violation: the same role, made twice
  '42710', // duplicate_object
];
const ATTEMPTS = 5;
/** They store what they are given, in no schema and by no grant on a table: even a role that may only read could. */
const LARGE_OBJECT_MAKERS = ['lo_creat(integer)', 'lo_create(oid)', 'lo_from_bytea(oid, bytea)'];

/**
 * Makes a service's schema and roles, or brings existing ones to this state, all or nothing: the owner owns its schema
 * alone, runtime roles may use it as the migrations grant, nobody else may connect to anything by default, and a
 * runtime statement whose client went away is stopped by the server.
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
      } catch (failure) {
        await client.query('ROLLBACK');
        const collided = failure instanceof pg.DatabaseError && COLLISIONS.includes(failure.code ?? '');
        if (!collided || attempt === ATTEMPTS) throw failure;
      }
    }
  } finally {
    await client.end();
  }
}

async function prepare(client: pg.Client, preparation: DatabasePreparation): Promise<void> {
  const { schema, owner, runtimes, extensions = [] } = preparation;
  // Services that share a database are prepared one after the other.
  await client.query("SELECT pg_advisory_xact_lock(hashtextextended('gpu-observatory:roles', 0))");
  const roles = [owner, ...runtimes];
  const repeated = roles.find((role, index) => roles.findIndex(({ name }) => name === role.name) !== index);
  if (repeated) throw new Error(`${repeated.name} is given for two purposes: use a role of its own for each`);
  for (const role of roles) await ensureRole(client, role);

  const database = pg.escapeIdentifier(client.database ?? '');
  const schemaName = pg.escapeIdentifier(schema);
  const ownerName = pg.escapeIdentifier(owner.name);
  await client.query(`REVOKE ALL ON DATABASE ${database} FROM PUBLIC`);
  await client.query('REVOKE ALL ON SCHEMA public FROM PUBLIC');
  // The functions are a superuser's: for another administrator this is a warning, and they stay as they are.
  for (const maker of LARGE_OBJECT_MAKERS) {
    await client.query(`REVOKE EXECUTE ON FUNCTION pg_catalog.${maker} FROM PUBLIC`);
  }
  // An administrator that is no superuser may hand out a schema only to a role it is a member of.
  await client.query(`GRANT ${ownerName} TO CURRENT_USER`);
  await client.query(`CREATE SCHEMA IF NOT EXISTS ${schemaName} AUTHORIZATION ${ownerName}`);
  for (const extension of extensions) {
    await client.query(
      `CREATE EXTENSION IF NOT EXISTS ${pg.escapeIdentifier(extension)} SCHEMA ${schemaName}`,
    );
  }
  for (const role of roles) {
    const name = pg.escapeIdentifier(role.name);
    await client.query(`GRANT CONNECT ON DATABASE ${database} TO ${name}`);
    await client.query(`ALTER ROLE ${name} IN DATABASE ${database} SET search_path = ${schemaName}`);
    await client.query(`GRANT USAGE ON SCHEMA ${schemaName} TO ${name}`);
  }
  for (const { name } of runtimes) {
    const settings = `ALTER ROLE ${pg.escapeIdentifier(name)} IN DATABASE ${database} SET`;
    await client.query(`${settings} client_connection_check_interval = '1s'`);
    await client.query(`${settings} idle_in_transaction_session_timeout = '60s'`);
    // Statements are prepared and take LIMIT as a parameter, which the planner guesses to be huge, so by itself it would
    // plan each one anew at each call: over a year of partitions planning costs more than running.
    await client.query(`${settings} plan_cache_mode = 'force_generic_plan'`);
    // One request has one processor: who looks through many rows must not take those of everybody else as well.
    await client.query(`${settings} max_parallel_workers_per_gather = 0`);
  }
}

/** Makes a plain login role, or makes an existing one plain again and gives it its password. */
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
    throw new Error(`${role.name} is an administrator of the server: use a role of its own for the service`);
  }
  // Naming an attribute, even to take it away, needs that attribute oneself: only what has to go is named.
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

/** The role that a URL names, with its password. */
export function roleOf(databaseUrl: string): Role {
  const url = new URL(databaseUrl);
  return { name: decodeURIComponent(url.username), password: decodeURIComponent(url.password) };
}
