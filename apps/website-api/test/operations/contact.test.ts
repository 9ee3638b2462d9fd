import type { TestDatabase } from '@gpu-observatory/testing';
import { OperationError } from '@gpu-observatory/service-runtime/process';
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
       (id, received_at, first_name, email, company, message, sender, body_hash, attempts, delivered_at)
     VALUES ($1, '2026-01-01T10:00:00Z', 'Ada', 'Ada@example.org', 'Engines', 'A demo.', 'key 7', '', 1, '2026-01-01T10:00:01Z'),
            ($2, '2026-02-01T10:00:00Z', 'Grace', 'grace@example.org', '', 'A question.', 'key 7', '', 0, NULL)`,
    [ids.ada, ids.grace],
  );
});

afterAll(async () => {
  await owner.end();
  await database.drop();
});

/** Runs `contact …` and returns its output. */
async function run(...args: string[]): Promise<string> {
  const lines: string[] = [];
  const print = jest.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  try {
    await contactCommand().parseAsync(args, { from: 'user' });
  } finally {
    print.mockRestore();
  }
  return lines.join('\n');
}

const remainingIds = async () =>
  (await owner.query<{ id: string }>('SELECT id FROM website.contact_requests ORDER BY id')).rows.map(
    ({ id }) => id,
  );

describe('contact list', () => {
  it('lists senders, times and mail state without messages', async () => {
    const output = await run('list');
    for (const text of [ids.grace, 'Grace <grace@example.org>', 'not mailed', '2026-01-01T10:00:01.000Z'])
      expect(output).toContain(text);
    expect(output).not.toContain('A demo.');
    expect(JSON.parse(await run('list', '--undelivered', '--json'))).toMatchObject({
      requests: [{ id: ids.grace }],
    });
  });
});

describe('contact export', () => {
  it('prints all stored data of one sender', async () => {
    expect(JSON.parse(await run('export', '--email', 'ada@EXAMPLE.org'))).toEqual({
      requests: [
        {
          id: ids.ada,
          received_at: '2026-01-01T10:00:00.000Z',
          first_name: 'Ada',
          email: 'Ada@example.org',
          company: 'Engines',
          message: 'A demo.',
          sender: 'key 7',
          attempts: 1,
          delivered_at: '2026-01-01T10:00:01.000Z',
          last_error: null,
        },
      ],
    });
  });
});

describe('contact erase', () => {
  it('only counts without --yes', async () => {
    expect(await run('erase', '--email', 'ada@example.org')).toBe('1 would be erased; pass --yes to erase');
    expect(await remainingIds()).toEqual([ids.ada, ids.grace]);
    expect(await run('erase', '--email', 'ada@example.org', '--yes')).toBe('1 erased');
    expect(await remainingIds()).toEqual([ids.grace]);
  });

  it('erases by id and by age', async () => {
    expect(JSON.parse(await run('erase', '--before', '2026-01-15', '--yes', '--json'))).toEqual({
      erased: true,
      ids: [ids.ada],
    });
    expect(await run('erase', '--id', ids.grace, '--yes')).toBe('1 erased');
    expect(await remainingIds()).toEqual([]);
  });

  it('requires a filter and rejects invalid options', async () => {
    await expect(run('erase', '--yes')).rejects.toThrow(OperationError);
    await expect(run('erase', '--id', 'x', '--yes')).rejects.toThrow('--id must be a UUID, got "x"');
    await expect(run('erase', '--before', 'yesterday', '--yes')).rejects.toThrow('--before must be a time');
    expect(await remainingIds()).toHaveLength(2);
  });
});
