import { freePort } from '@gpu-observatory/embedded-database';
import { createTestDatabase, type TestDatabase } from '@gpu-observatory/testing';
import { useExternalServer } from '../src/databases/database-server.ts';
import { DATABASE, databaseUrls } from '../src/databases/roles.ts';
import { withClient } from '@gpu-observatory/embedded-database';
import { checkDemoFleet, newDemoFleet, readDemoFleet, saveDemoFleet } from '../src/demo/demo-fleet.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('local-stack', async () => {});
});
afterAll(async () => {
  await withClient(database.url, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${DATABASE}`);
    await client.query('DROP ROLE IF EXISTS unprivileged');
  });
  await database.drop();
});

const at = (changes: Partial<URL>) => Object.assign(new URL(database.url), changes).href;

describe('an external PostgreSQL server', () => {
  it('gets the database once and keeps running', async () => {
    const server = await useExternalServer(database.url);
    expect(server.administratorUrl).toBe(at({ pathname: `/${DATABASE}` }));
    await server.stop();
    expect((await useExternalServer(database.url)).administratorUrl).toBe(server.administratorUrl);
  });

  it.each<[string, () => Promise<Partial<URL>>, RegExp]>([
    [
      'when it is unreachable',
      async () => ({ port: String(await freePort()) }),
      /is unreachable \(ECONNREFUSED\): correct --database-url/,
    ],
    [
      'for a wrong password, which is not printed',
      async () => ({ password: 'wrong-secret' }),
      /^(?!.*wrong-secret).* rejected the role postgres or its password: correct --database-url/,
    ],
    ['for a missing database', async () => ({ pathname: '/nowhere' }), /does not have this database/],
    [
      'for a role that may not create roles',
      async () => {
        await withClient(database.url, (client) =>
          client.query("CREATE ROLE unprivileged LOGIN PASSWORD 'x'"),
        );
        return { username: 'unprivileged', password: 'x' };
      },
      /^The role unprivileged at .* may not create databases and roles: use an administrator in --database-url/,
    ],
  ])('is rejected %s', async (_why, changes, message) => {
    await expect(useExternalServer(at(await changes()))).rejects.toThrow(message);
  });
});

it('keeps the host and the parameters of the server in the URLs of roles', () => {
  const urls = databaseUrls('postgres://boss:pw@db.example:6432/gpu_observatory?sslmode=require', {
    fleet_importer_password: 'p',
  } as never);
  expect(urls.importer).toBe('postgres://fleet_importer:p@db.example:6432/gpu_observatory?sslmode=require');
});

describe('the simulated fleet of a database', () => {
  const now = new Date('2026-11-21T08:00:00Z');

  it('is stored in the comment of the database', async () => {
    const { administratorUrl } = await useExternalServer(database.url);
    expect(await readDemoFleet(administratorUrl)).toBeUndefined();
    await saveDemoFleet(administratorUrl, { ...newDemoFleet({ seed: 5 }, now), agent_keys: { 1: [2] } });
    expect(await readDemoFleet(administratorUrl)).toEqual({
      ...{ seed: 5, hosts: 64, gpus: 512, alerts: 20_000, days: 90 },
      ...{ history_until: '2026-11-21T08:00:00.000Z', complete: false, agent_keys: { 1: [2] } },
    });
  });

  it('rejects other parameters than its own', () => {
    const existing = { ...newDemoFleet({}, now), agent_keys: {} };
    checkDemoFleet(existing, { hosts: 64 });
    expect(() => checkDemoFleet(existing, { seed: 2 })).toThrow(
      'The existing simulated fleet has --seed 1, not 2: omit --seed, or start with --reset to create another fleet.',
    );
  });

  it('has no more hosts than GPUs', () => {
    expect(newDemoFleet({ gpus: 10 }, now)).toMatchObject({ hosts: 10, gpus: 10 });
    expect(newDemoFleet({ hosts: 1_000 }, now)).toMatchObject({ hosts: 1_000, gpus: 1_000 });
  });
});
