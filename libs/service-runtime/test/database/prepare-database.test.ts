import { randomBytes } from 'node:crypto';
import { query } from '@gpu-observatory/embedded-database';
import { createTestDatabase, type TestDatabase } from '@gpu-observatory/testing';
import pg from 'pg';
import { type Role, roleOf } from '../../src/database/prepare-database.ts';
import { prepareDatabase } from '../../src/process.ts';
import { as } from '../support/as.ts';

/** Roles outlive a database, so each run creates and drops its own. */
const suffix = randomBytes(4).toString('hex');
const role = (name: string): Role => ({ name: `${name}_${suffix}`, password: `p@ss:${name}/% "'` });
const owner = role('fleet_owner');
const reader = role('fleet_api');
const otherOwner = role('account_owner');
const otherRuntime = role('account_service');
const administrator = role('administrator');
const everyone = [owner, reader, otherOwner, otherRuntime];

let testDatabase: TestDatabase;
let administratorUrl: string;

const fleet = () => ({ administratorUrl, schema: 'fleet', owner, runtimes: [reader] });
const account = () => ({ administratorUrl, schema: 'account', owner: otherOwner, runtimes: [otherRuntime] });

beforeAll(async () => {
  testDatabase = await createTestDatabase('service-runtime/prepare', () => Promise.resolve());
  const name = pg.escapeIdentifier(administrator.name);
  await query(
    testDatabase.url,
    `CREATE ROLE ${name} LOGIN CREATEROLE CREATEDB PASSWORD ${pg.escapeLiteral(administrator.password)}`,
  );
  await query(testDatabase.url, `ALTER DATABASE ${testDatabase.name} OWNER TO ${name}`);
  administratorUrl = as(testDatabase.url, administrator);
  await prepareDatabase(fleet());
  await prepareDatabase(account());
  await query(as(testDatabase.url, owner), 'CREATE TABLE fleet.alerts (id bigint)');
  await query(
    as(testDatabase.url, owner),
    `GRANT SELECT ON fleet.alerts TO ${pg.escapeIdentifier(reader.name)}`,
  );
});

afterAll(async () => {
  await query(
    testDatabase.url,
    `REASSIGN OWNED BY ${pg.escapeIdentifier(administrator.name)} TO CURRENT_USER`,
  );
  for (const { name } of [...everyone, administrator]) {
    await query(testDatabase.url, `DROP OWNED BY ${pg.escapeIdentifier(name)} CASCADE`);
    await query(testDatabase.url, `DROP ROLE ${pg.escapeIdentifier(name)}`);
  }
  await testDatabase.drop();
});

test('works repeatedly for an administrator that is not a superuser', async () => {
  await prepareDatabase(fleet());
  await prepareDatabase(account());
  const schemas = await query(
    testDatabase.url,
    `SELECT nspname AS schema, pg_get_userbyid(nspowner) AS owner FROM pg_namespace
      WHERE nspname IN ('fleet', 'account') ORDER BY nspname`,
  );
  expect(schemas).toEqual([
    { schema: 'account', owner: otherOwner.name },
    { schema: 'fleet', owner: owner.name },
  ]);
});

test('prepares several services at the same time', async () => {
  const preparations = [fleet(), account(), fleet(), account(), fleet()];
  await Promise.all(preparations.map((preparation) => prepareDatabase(preparation)));
  expect(await query(as(testDatabase.url, reader), 'SELECT id FROM fleet.alerts')).toEqual([]);
});

test('changes a password without sending it in clear text', async () => {
  const renewed = { ...reader, password: 'another password of 2026' };
  await prepareDatabase({ ...fleet(), runtimes: [renewed] });
  expect(await query(as(testDatabase.url, renewed), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await expect(query(as(testDatabase.url, reader), 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
  await prepareDatabase(fleet());
  const [stored] = await query<{ rolpassword: string }>(
    testDatabase.url,
    'SELECT rolpassword FROM pg_authid WHERE rolname = $1',
    [reader.name],
  );
  expect(stored?.rolpassword).toMatch(/^SCRAM-SHA-256\$4096:/);
});

test('removes excess rights of an existing role', async () => {
  const name = pg.escapeIdentifier(reader.name);
  await query(testDatabase.url, `ALTER ROLE ${name} CREATEDB CREATEROLE`);
  await prepareDatabase(fleet());
  const rows = await query(
    testDatabase.url,
    `SELECT rolcreatedb, rolcreaterole, rolsuper, rolreplication, rolbypassrls, rolcanlogin
       FROM pg_roles WHERE rolname = $1`,
    [reader.name],
  );
  expect(rows).toEqual([
    {
      rolcreatedb: false,
      rolcreaterole: false,
      rolsuper: false,
      rolreplication: false,
      rolbypassrls: false,
      rolcanlogin: true,
    },
  ]);
});

test.each<[string, Role, string]>([
  ['the reader writes', reader, 'INSERT INTO fleet.alerts (id) VALUES (1)'],
  ['the reader creates a table', reader, 'CREATE TABLE fleet.mine (id int)'],
  ['the reader creates a temporary table', reader, 'CREATE TEMP TABLE mine (id int)'],
  ['the reader uses public', reader, 'CREATE TABLE public.mine (id int)'],
  ['the reader creates a schema', reader, 'CREATE SCHEMA mine'],
  ['the reader becomes the owner', reader, `SET ROLE ${owner.name}`],
  ['another runtime role reads', otherRuntime, 'SELECT id FROM fleet.alerts'],
  ['another runtime role resolves a name in the schema', otherRuntime, "SELECT 'fleet.alerts'::regclass"],
  ['another owner reads', otherOwner, 'SELECT id FROM fleet.alerts'],
  ['another owner creates a table', otherOwner, 'CREATE TABLE fleet.theirs (id int)'],
  ['an owner creates a schema', owner, 'CREATE SCHEMA mine'],
  ['an owner creates a role', owner, 'CREATE ROLE mine'],
])('denies that %s', async (_name, user, statement) => {
  await expect(query(as(testDatabase.url, user), statement)).rejects.toMatchObject({ code: '42501' });
});

test('no role can create large objects, if the administrator is a superuser', async () => {
  await prepareDatabase({ ...fleet(), administratorUrl: testDatabase.url });
  for (const maker of ['lo_creat(-1)', 'lo_create(0)', "lo_from_bytea(0, '\\x01')"]) {
    for (const user of [reader, owner]) {
      await expect(query(as(testDatabase.url, user), `SELECT ${maker}`)).rejects.toMatchObject({
        code: '42501',
      });
    }
  }
});

test('a role without a grant cannot connect', async () => {
  const stranger = role('stranger');
  const name = pg.escapeIdentifier(stranger.name);
  await query(testDatabase.url, `CREATE ROLE ${name} LOGIN PASSWORD ${pg.escapeLiteral(stranger.password)}`);
  await expect(query(as(testDatabase.url, stranger), 'SELECT 1')).rejects.toMatchObject({ code: '42501' });
  await query(testDatabase.url, `DROP ROLE ${name}`);
});

test('statements of a runtime role use a generic plan, one CPU and no JIT', async () => {
  const settings = `SELECT name, setting FROM pg_settings
    WHERE name IN ('plan_cache_mode', 'max_parallel_workers_per_gather') OR name = 'jit' AND source = 'database user'
    ORDER BY name`;
  expect(await query(as(testDatabase.url, reader), settings)).toEqual([
    { name: 'jit', setting: 'off' },
    { name: 'max_parallel_workers_per_gather', setting: '0' },
    { name: 'plan_cache_mode', setting: 'force_generic_plan' },
  ]);
});

test('the server chooses the plans of a runtime role where Citus is installed', async () => {
  // Citus is not in the test server: renaming another extension changes the catalog in the same way.
  const rename = (from: string, to: string) =>
    query(
      testDatabase.url,
      `SET allow_system_table_mods = on; UPDATE pg_extension SET extname = '${to}' WHERE extname = '${from}'`,
    );
  const mode = async () => {
    await prepareDatabase({ ...fleet(), administratorUrl: testDatabase.url });
    return query(as(testDatabase.url, reader), 'SHOW plan_cache_mode');
  };
  await rename('plpgsql', 'citus');
  expect(await mode()).toEqual([{ plan_cache_mode: 'auto' }]);
  await rename('citus', 'plpgsql');
  expect(await mode()).toEqual([{ plan_cache_mode: 'force_generic_plan' }]);
});

test('cancels statements of a runtime role whose client has disconnected', async () => {
  const rows = await query(
    as(testDatabase.url, reader),
    `SELECT current_setting('client_connection_check_interval') AS check,
            current_setting('idle_in_transaction_session_timeout') AS idle, current_schema AS schema`,
  );
  expect(rows).toEqual([{ check: '1s', idle: '1min', schema: 'fleet' }]);
});

test.each<[string, () => Partial<ReturnType<typeof fleet>>, string]>([
  ['the administrator as owner', () => ({ owner: administrator }), 'is a superuser or the administrator'],
  [
    'a superuser as owner',
    () => ({ owner: roleOf(testDatabase.url) }),
    'is a superuser or the administrator',
  ],
  ['one role for two purposes', () => ({ runtimes: [owner] }), 'is in more than one database URL'],
  ['a role without a password', () => ({ runtimes: [{ ...reader, password: '' }] }), 'has no password'],
])('rejects %s', async (_name, change, message) => {
  await expect(prepareDatabase({ ...fleet(), ...change() })).rejects.toThrow(message);
});
