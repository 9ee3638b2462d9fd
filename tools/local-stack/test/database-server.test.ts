import { createTestDatabase, freePort, type TestDatabase } from '@gpu-observatory/embedded-database';
import { useForeignServer } from '../src/databases/database-server.ts';
import { DATABASE, databaseUrls } from '../src/databases/roles.ts';
import { withClient } from '../src/databases/with-client.ts';
import { chooseDemoFleet, noteDemoFleet, readDemoFleet } from '../src/demo/demo-fleet.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('local-stack', async () => {});
});
afterAll(async () => {
  await withClient(database.url, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${DATABASE}`);
    await client.query('DROP ROLE IF EXISTS nobody_special');
  });
  await database.drop();
});

const at = (changes: Partial<URL>) => Object.assign(new URL(database.url), changes).href;

describe('a PostgreSQL of somebody else', () => {
  it('gets our database, once, and is left running', async () => {
    const server = await useForeignServer(database.url);
    expect(server.administratorUrl).toBe(at({ pathname: `/${DATABASE}` }));
    await server.stop();
    expect((await useForeignServer(database.url)).administratorUrl).toBe(server.administratorUrl);
  });

  it('is refused in one line when nothing answers', async () => {
    const port = String(await freePort());
    await expect(useForeignServer(at({ port }))).rejects.toThrow(
      `The PostgreSQL at 127.0.0.1:${port} does not answer (ECONNREFUSED): put --database-url (DATABASE_URL) right, or leave it out to use the embedded one.`,
    );
  });

  it('is refused without a word of the password when it is wrong', async () => {
    const refusal = await useForeignServer(at({ password: 'wrong-secret' })).catch(
      (failure: Error) => failure,
    );
    expect((refusal as Error).message).toMatch(
      /refuses the role postgres with that password: put --database-url/,
    );
    expect((refusal as Error).message).not.toContain('wrong-secret');
  });

  it('is refused when its database is not there', async () => {
    await expect(useForeignServer(at({ pathname: '/nowhere' }))).rejects.toThrow('has no such database');
  });

  it('is refused for a role that may not make roles', async () => {
    await withClient(database.url, async (client) => {
      await client.query("CREATE ROLE nobody_special LOGIN PASSWORD 'x'");
    });
    await expect(useForeignServer(at({ username: 'nobody_special', password: 'x' }))).rejects.toThrow(
      /^The role nobody_special at .* may not make databases and roles: give an administrator's --database-url/,
    );
  });
});

it('URLs of roles keep the place and the parameters of the server', () => {
  const urls = databaseUrls('postgres://boss:pw@db.example:6432/gpu_observatory?sslmode=require', {
    fleet_importer_password: 'p',
  } as never);
  expect(urls.importer).toBe('postgres://fleet_importer:p@db.example:6432/gpu_observatory?sslmode=require');
});

describe('the simulated fleet that a database holds', () => {
  const now = new Date('2026-11-21T08:00:00Z');

  it('is noted on the database', async () => {
    const { administratorUrl } = await useForeignServer(database.url);
    expect(await readDemoFleet(administratorUrl)).toBeUndefined();
    const fleet = chooseDemoFleet(undefined, { seed: 5 }, now);
    await noteDemoFleet(administratorUrl, fleet);
    expect(await readDemoFleet(administratorUrl)).toEqual({
      ...{ seed: 5, hosts: 64, gpus: 512, alerts: 20_000, days: 90 },
      ...{ history_until: '2026-11-21T08:00:00.000Z', complete: false },
    });
  });

  it('stays, whatever the time, and refuses another', () => {
    const present = { ...chooseDemoFleet(undefined, {}, now), complete: true };
    expect(chooseDemoFleet(present, { hosts: 64 }, new Date())).toBe(present);
    expect(() => chooseDemoFleet(present, { seed: 2 }, new Date())).toThrow(
      'The simulated fleet that is there has --seed 1, not 2: start with --reset for another fleet, or leave --seed out.',
    );
  });

  it('has no more hosts than GPUs', () => {
    expect(chooseDemoFleet(undefined, { gpus: 10 }, now)).toMatchObject({ hosts: 10, gpus: 10 });
    expect(chooseDemoFleet(undefined, { hosts: 1_000 }, now)).toMatchObject({ hosts: 1_000, gpus: 1_000 });
  });
});
