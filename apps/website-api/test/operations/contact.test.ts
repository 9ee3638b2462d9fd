import { jest } from '@jest/globals';
import type { TestDatabase } from '@gpu-observatory/embedded-database';
import { OperationError } from '@gpu-observatory/service-runtime';
import pg from 'pg';
import { contactCommand } from '../../src/contact/contact.command.ts';
import { createWebsiteDatabase, ownerUrl } from '../support/website.ts';

let database: TestDatabase;
let owner: pg.Client;

const ids = {
  ada: 'b0000000-0000-4000-8000-000000000001',
  grace: 'b0000000-0000-4000-8000-000000000002',
};

beforeAll(async () => {
  database = await createWebsiteDatabase();
  process.env['OWNER_DATABASE_URL'] = ownerUrl(database);
  process.env['LOG_LEVEL'] = 'silent';
  owner = new pg.Client({ connectionString: ownerUrl(database) });
  await owner.connect();
});

beforeEach(async () => {
  await owner.query('DELETE FROM website.contact_requests');
  await owner.query(
    `INSERT INTO website.contact_requests
       (id, received_at, first_name, email, company, message, came_by, body_hash, attempts, delivered_at)
     VALUES ($1, '2026-01-01T10:00:00Z', 'Ada', 'Ada@example.org', 'Engines', 'A demo.', 'key 7', '', 1, '2026-01-01T10:00:01Z'),
            ($2, '2026-02-01T10:00:00Z', 'Grace', 'grace@example.org', '', 'A question.', 'key 7', '', 0, NULL)`,
    [ids.ada, ids.grace],
  );
});

afterAll(async () => {
  await owner.end();
  await database.drop();
});

/** Runs `contact …` and returns what it printed. */
async function run(...words: string[]): Promise<string> {
  const lines: string[] = [];
  const print = jest.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  try {
    await contactCommand().parseAsync(words, { from: 'user' });
  } finally {
    print.mockRestore();
  }
  return lines.join('\n');
}

const left = async () =>
  (await owner.query<{ id: string }>('SELECT id FROM website.contact_requests ORDER BY id')).rows.map(
    ({ id }) => id,
  );

describe('contact list', () => {
  it('tells who asked when and whether it was mailed, not what', async () => {
    const told = await run('list');
    expect(told).toContain(
      `${ids.grace}  2026-02-01T10:00:00.000Z  Grace <grace@example.org>  not mailed, 0 attempts`,
    );
    expect(told).toContain('Ada <Ada@example.org>, Engines  mailed 2026-01-01T10:00:01.000Z');
    expect(told).toContain('2 in all');
    expect(told).not.toContain('A demo.');
    expect(JSON.parse(await run('list', '--undelivered', '--json'))).toMatchObject({
      requests: [{ id: ids.grace }],
    });
  });
});

describe('contact export', () => {
  it('has everything that is kept of one person', async () => {
    expect(JSON.parse(await run('export', '--email', 'ada@EXAMPLE.org'))).toEqual({
      requests: [
        {
          id: ids.ada,
          received_at: '2026-01-01T10:00:00.000Z',
          first_name: 'Ada',
          email: 'Ada@example.org',
          company: 'Engines',
          message: 'A demo.',
          came_by: 'key 7',
          attempts: 1,
          delivered_at: '2026-01-01T10:00:01.000Z',
          last_failure: null,
        },
      ],
    });
  });
});

describe('contact erase', () => {
  it('only counts until it is told yes', async () => {
    expect(await run('erase', '--email', 'ada@example.org')).toBe('1 would be erased; give --yes to do it');
    expect(await left()).toEqual([ids.ada, ids.grace]);
    expect(await run('erase', '--email', 'ada@example.org', '--yes')).toBe('1 erased');
    expect(await left()).toEqual([ids.grace]);
  });

  it('erases by id and by age', async () => {
    expect(JSON.parse(await run('erase', '--before', '2026-01-15', '--yes', '--json'))).toEqual({
      erased: true,
      ids: [ids.ada],
    });
    expect(await run('erase', '--id', ids.grace, '--yes')).toBe('1 erased');
    expect(await left()).toEqual([]);
  });

  it('does not erase everything by mistake', async () => {
    await expect(run('erase', '--yes')).rejects.toThrow(OperationError);
    await expect(run('erase', '--id', 'x', '--yes')).rejects.toThrow('--id should be a UUID');
    await expect(run('erase', '--before', 'yesterday', '--yes')).rejects.toThrow('--before should be a time');
    expect(await left()).toHaveLength(2);
  });
});
