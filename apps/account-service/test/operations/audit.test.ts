import { randomUUID } from 'node:crypto';
import type { Queryable } from '@gpu-observatory/service-runtime/process';
import pg from 'pg';
import type { AuditRow } from '../../src/audit/audit.queries.ts';
import { followAuditEvents } from '../../src/audit/follow.ts';
import { readDatabaseTime } from '../../src/clock/clock.ts';
import { runCommand } from '../support/run-command.ts';
import { AnonymousRejections } from '../../src/audit/anonymous-rejections.ts';
import { FRONTEND_URL, useAccountService } from '../support/running-account-service.ts';
import { beginSignIn, openCallback } from '../support/partial-sign-in.ts';

const service = useAccountService({ environment: { PASSWORD_SIGN_IN: 'true' } });

const exported = async (...options: string[]) => {
  const text = await service.run('audit', 'export', ...options);
  return text === '' ? [] : text.split('\n').map((line) => JSON.parse(line) as Record<string, unknown>);
};

/** Returns the audit events of an action, abbreviated. */
async function eventsOf(action: () => Promise<unknown>): Promise<unknown[]> {
  const before = (await exported()).length;
  await action();
  return (
    (await exported())
      .slice(before)
      // The service publishes its first key soon after it starts.
      .filter(({ action: name }) => name !== 'signing_key_published')
      .map(({ action: name, customer, user, detail }) => [
        name,
        customer,
        user,
        (detail as { reason?: string }).reason ?? null,
      ])
  );
}

describe('records the customer and the user, where known, for', () => {
  const ADA = 'ada@acme.example';
  const code = () => service.signInForCode(ADA);
  const start = (url: string) =>
    service.get(`/api/v1/auth/google?frontend_url=${encodeURIComponent(url)}`, undefined);

  test('the first sign-in', async () => {
    const alan = 'alan@acme.example';
    expect(await eventsOf(() => service.session(alan))).toEqual([
      ['user_created', 'acme', alan, null],
      ['identity_linked', 'acme', alan, null],
      ['signed_in', 'acme', alan, null],
    ]);
  });

  test('the first sign-in of a declared user', async () => {
    expect(await eventsOf(() => service.session(ADA))).toEqual([
      ['identity_linked', 'acme', ADA, null],
      ['signed_in', 'acme', ADA, null],
    ]);
  });

  test('a later sign-in, through the other provider', async () => {
    expect(await eventsOf(() => service.session(ADA, 'google'))).toEqual([
      ['identity_linked', 'acme', ADA, null],
      ['signed_in', 'acme', ADA, null],
    ]);
  });

  test('sign-out, once per session', async () => {
    const { refresh_token: token } = await service.session(ADA);
    const signOut = () => service.post('/api/v1/auth/logout', { refresh_token: token });
    expect(await eventsOf(signOut)).toEqual([['signed_out', 'acme', ADA, null]]);
    expect(await eventsOf(signOut)).toEqual([]);
    expect(await eventsOf(() => service.refresh(token))).toEqual([['refresh_rejected', 'acme', ADA, null]]);
    expect(await eventsOf(() => service.refresh('x'))).toEqual([['refresh_rejected', null, null, null]]);
  });

  test('a frontend_url that is not allowed', async () => {
    expect(await eventsOf(() => start('https://evil.example'))).toEqual([
      ['sign_in_denied', null, null, 'invalid_frontend_url'],
    ]);
  });

  test('a callback that this browser did not start', async () => {
    const attempt = await beginSignIn(service);
    const callback = new URL(`${service.url}/api/v1/auth/github/callback?code=x&state=${attempt.state}`);
    expect(await eventsOf(() => openCallback(callback))).toEqual([
      ['sign_in_denied', null, null, 'unknown_attempt'],
    ]);
    expect(await eventsOf(() => openCallback(callback, attempt.cookie))).toEqual([
      ['sign_in_denied', null, null, 'provider_error'],
    ]);
  });

  test('a denied sign-in: unknown domain, inactive customer, disabled user', async () => {
    expect(await eventsOf(() => service.signIn('nina@nowhere.example'))).toEqual([
      ['sign_in_denied', null, null, 'domain_not_allowed'],
    ]);
    expect((await exported()).at(-1)).toMatchObject({ detail: { domain: 'nowhere.example' } });
    expect(await eventsOf(() => service.signIn('ivan@initech.example'))).toEqual([
      ['sign_in_denied', 'initech', null, 'domain_not_allowed'],
    ]);
    const vera = 'vera@acme.example';
    await service.session(vera);
    expect(await eventsOf(() => service.run('users', 'disable', vera))).toEqual([
      ['user_disabled', 'acme', vera, null],
    ]);
    expect(await eventsOf(() => service.signIn(vera))).toEqual([
      ['sign_in_denied', 'acme', vera, 'user_disabled'],
    ]);
  });

  test.each<[string, (text: string) => Promise<Response>]>([
    ['another redirect_uri', (text) => service.redeem(text, 'https://evil.example')],
    [
      'an unknown field',
      (text) => service.post('/api/v1/auth/token', { code: text, redirect_uri: 'x', y: 1 }),
    ],
    [
      'cookies for a foreign origin',
      (text) =>
        service.post(
          '/api/v1/auth/token',
          { code: text, redirect_uri: FRONTEND_URL },
          { accept: '*/*', origin: 'https://evil.example' },
        ),
    ],
  ])('a code burned by %s, and its replay', async (_, attempt) => {
    const text = await code();
    expect(await eventsOf(() => attempt(text))).toEqual([['code_rejected', 'acme', ADA, null]]);
    expect(await eventsOf(() => service.redeem(text))).toEqual([['code_replayed', 'acme', ADA, null]]);
  });

  test('an invented code, but not a request without a code', async () => {
    expect(await eventsOf(() => service.redeem('x'.repeat(43)))).toEqual([
      ['code_rejected', null, null, null],
    ]);
    expect(await eventsOf(() => service.post('/api/v1/auth/token', {}))).toEqual([]);
  });

  test('a wrong password', async () => {
    const body = { email: 'unknown@acme.example', password: 'wrong', frontend_url: FRONTEND_URL };
    expect(await eventsOf(() => service.post('/api/v1/auth/password', body))).toEqual([
      ['password_rejected', null, null, null],
    ]);
  });
});

test('audits at most 100 anonymous rejections of one kind per hour, and the number of the others', async () => {
  const rejections = service.running.application.get(AnonymousRejections);
  const flood = (count: number) =>
    eventsOf(async () => {
      for (let sent = 0; sent < count; sent += 10) {
        await Promise.all(Array.from({ length: 10 }, () => service.refresh('x')));
      }
    });
  await rejections.endWindow();
  expect(await flood(130)).toHaveLength(100);
  expect(await eventsOf(() => service.redeem('x'.repeat(43)))).toHaveLength(1);
  expect(await eventsOf(() => rejections.endWindow())).toHaveLength(1);
  expect((await exported()).at(-1)).toMatchObject({
    action: 'refresh_rejected',
    actor: 'anonymous',
    network: null,
    detail: { unrecorded: 30 },
  });
  expect(await flood(10)).toHaveLength(10);
});

test('the number of the others belongs to a customer only with a user', async () => {
  const rejections = service.running.application.get(AnonymousRejections);
  const origin = { network: '203.0.113.1', requestId: 'flood' };
  await rejections.endWindow();
  for (let sent = 0; sent < 101; sent += 1) {
    await rejections.record({ action: 'client_rejected', customerId: 1 }, origin);
    await rejections.record({ action: 'password_locked', userId: 1 }, origin);
  }
  await rejections.endWindow();
  const ends = (await exported()).filter(
    ({ detail }) => (detail as { unrecorded?: number }).unrecorded === 1,
  );
  expect(ends).toMatchObject([
    { action: 'client_rejected', customer: null, user: null },
    { action: 'password_locked', customer: 'acme', user: 'ada@acme.example' },
  ]);
});

describe('audit export', () => {
  test('writes every event as a line, oldest first, across batches', async () => {
    await service.database.asOwner.query({
      text: `INSERT INTO account.audit_events (action, actor, occurred_at, detail)
             SELECT 'flood', 'anonymous', '2026-01-01T00:00:00Z', jsonb_build_object('number', number)
               FROM generate_series(1, 2500) AS number`,
    });
    const lines = await exported('--until', '2026-02-01T00:00:00Z');
    expect(lines.map(({ detail }) => (detail as { number: number }).number)).toEqual(
      Array.from({ length: 2500 }, (_, index) => index + 1),
    );
    expect(lines[0]).toEqual({
      id: expect.any(Number),
      occurred_at: '2026-01-01T00:00:00.000Z',
      action: 'flood',
      actor: 'anonymous',
      customer: null,
      user: null,
      network: null,
      request_id: null,
      detail: { number: 1 },
    });
    expect(await exported('--until', '2026-01-01T00:00:00Z')).toEqual([]);
    expect(await exported('--since', '2026-01-01T00:00:00.001Z', '--until', '2026-02-01T00:00:00Z')).toEqual(
      [],
    );
    const ofAcme = await exported('--since', '2026-02-01T00:00:00Z', '--customer', 'acme');
    expect(new Set(ofAcme.map(({ customer }) => customer))).toEqual(new Set(['acme']));
  });
});

test('follow yields events as they are committed, each once, also when an earlier one commits later', async () => {
  const insert = (transaction: Queryable, number: number) =>
    transaction.query({
      text: `INSERT INTO account.audit_events (action, actor, detail) VALUES ('followed', 'anonymous', $1)`,
      values: [JSON.stringify({ number })],
    });
  const followed: unknown[] = [];
  const since = new Date((await readDatabaseTime(service.database.asOwner)).getTime());
  const following = followAuditEvents(service.database.asOwner, { since });
  const readUntil = async (count: number) => {
    while (followed.length < count) {
      const { value = [] } = (await following.next()) as { value?: AuditRow[] };
      followed.push(...value.map(({ detail }) => detail.number));
    }
  };
  await service.database.asOwner.transaction(async (transaction) => {
    await insert(transaction, 1);
    await insert(service.database.asService, 2);
    await readUntil(1);
  });
  await insert(service.database.asService, 3);
  await readUntil(3);
  await following.return(undefined);
  expect(followed[0]).toBe(2);
  expect(followed.sort()).toEqual([1, 2, 3]);
});

test('an auditor role reads the audit and nothing else', async () => {
  const role = `auditor_${randomUUID().replaceAll('-', '')}`;
  const administrator = new pg.Client({ connectionString: service.database.url });
  await administrator.connect();
  const url = new URL(service.database.url);
  [url.username, url.password] = [role, 'secret'];
  await administrator.query(`CREATE ROLE ${role} LOGIN PASSWORD 'secret'`);
  await administrator.query(
    `GRANT CONNECT ON DATABASE ${administrator.escapeIdentifier(administrator.database ?? '')} TO ${role}`,
  );
  const auditor = new pg.Client({ connectionString: url.href });
  await auditor.connect();
  try {
    const denied = 'permission denied';
    await expect(auditor.query('SELECT * FROM account.audit_log')).rejects.toThrow(denied);
    expect(await service.run('audit', 'add-reader', role)).toBe(`audit reader ${role}: added`);
    const asAuditor = (...args: string[]) => runCommand({ AUDITOR_DATABASE_URL: url.href }, 'audit', ...args);
    expect(await asAuditor('list', '--action', 'audit_reader_added', '--customer', 'unknown')).toBe('');
    expect(await asAuditor('list', '--action', 'audit_reader_added')).toContain(role);
    expect(await asAuditor('export', '--customer', 'acme')).toContain('ada@acme.example');
    for (const statement of [
      'SELECT * FROM account.audit_events',
      'SELECT * FROM account.users',
      'SELECT * FROM account.sessions',
      "INSERT INTO account.audit_events (action, actor) VALUES ('x', 'y')",
      'DELETE FROM account.audit_events',
      'CREATE TABLE account.mine (id integer)',
    ]) {
      await expect(auditor.query(statement)).rejects.toThrow(denied);
    }
    await service.run('audit', 'remove-reader', role);
    await expect(auditor.query('SELECT * FROM account.audit_log')).rejects.toThrow(denied);
    await expect(service.run('audit', 'add-reader', 'unknown')).rejects.toThrow(
      'role unknown does not exist',
    );
  } finally {
    await auditor.end();
    await administrator.query(`DROP OWNED BY ${role}`);
    await administrator.query(`DROP ROLE ${role}`);
    await administrator.end();
  }
});
