import { INTERNAL_CREDENTIAL, useAccountService } from '../support/running-account-service.ts';

const service = useAccountService();

function feed(
  query = '',
  authorization: string | undefined = `Bearer ${INTERNAL_CREDENTIAL}`,
  base = service.internalUrl,
) {
  return fetch(`${base}/internal/v1/revocations${query}`, {
    headers: authorization === undefined ? {} : { authorization },
  });
}

test('requires the service credential, and is not on the public port', async () => {
  const { access_token: token } = await service.session('ada@acme.example');
  for (const authorization of [
    `Bearer ${token}`,
    '',
    'Bearer',
    'Bearer x',
    `Basic ${INTERNAL_CREDENTIAL}`,
    `Bearer ${INTERNAL_CREDENTIAL}x`,
  ]) {
    const response = await feed('', authorization);
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({
      title: 'Unauthorized',
      detail: 'Send the service credential as "Authorization: Bearer <INTERNAL_CREDENTIAL>".',
    });
  }
  expect((await feed()).status).toBe(200);
  expect((await feed('', `Bearer ${INTERNAL_CREDENTIAL}`, service.url)).status).toBe(404);
});

const insert = (kind: string, id: string, age: string) =>
  service.database.asOwner.query({
    text: `INSERT INTO account.revocations (kind, subject_id, not_before, recorded_at)
           VALUES ($1, $2, now() - $3::interval, now() - $3::interval)`,
    values: [kind, id, age],
  });

interface Page {
  as_of: string;
  next: string | null;
  revocations: { kind: string; id: string; not_before: string }[];
  sessions?: string;
}

const pageOf = async (query: string) => (await (await feed(query)).json()) as Page;
const idsOf = ({ revocations }: Page) => revocations.map(({ kind, id }) => `${kind} ${id}`);

const SESSION = '6f0c4c4e-8a51-4b39-9f2e-1d2f3a4b5c6d';

test('returns the revocations since a time, or all that can concern an unexpired token', async () => {
  await insert('user', '7', '6 hours 11 minutes');
  await insert('signing_key', 'stolen', '90 days');
  await insert('customer', '3', '6 hours 9 minutes');
  await insert('session', SESSION, '1 hour');
  await insert('user', '8', '1 minute');
  await insert('user', '8', '2 hours');
  const all = await pageOf('');
  expect(idsOf(all)).toEqual(['signing_key stolen', 'customer 3', `session ${SESSION}`, 'user 8']);
  expect(all.next).toBeNull();
  const since = new Date(Date.now() - 10 * 60_000).toISOString();
  expect(idsOf(await pageOf(`?since=${since}`))).toEqual(['user 8']);
});

test('returns sessions as bytes in the compact format', async () => {
  const [{ not_before: notBefore } = { not_before: '' }] = (await pageOf('')).revocations.filter(
    ({ kind }) => kind === 'session',
  );
  const compact = await pageOf('?format=compact');
  expect(idsOf(compact)).toEqual(['signing_key stolen', 'customer 3', 'user 8']);
  const entry = Buffer.from(compact.sessions as string, 'base64');
  expect(entry.length).toBe(20);
  expect(entry.toString('hex', 0, 16)).toBe(SESSION.replaceAll('-', ''));
  expect(entry.readUInt32BE(16)).toBe(Math.ceil(Date.parse(notBefore) / 1000));
});

test('rejects a session revocation whose id is no UUID, which would fail every read', async () => {
  await expect(insert('session', 'x', '1 minute')).rejects.toThrow('revocations_check');
});

test('follows 100,000 revocations page by page, with a full read and with polls', async () => {
  await service.database.asOwner.query({
    text: `INSERT INTO account.revocations (kind, subject_id)
           SELECT 'session', gen_random_uuid() FROM generate_series(1, 100000)`,
  });
  for (const since of [undefined, new Date(Date.now() - 60_000).toISOString()]) {
    const ids = new Set<string>();
    let after: string | null = null;
    do {
      const query = new URLSearchParams({
        format: 'compact',
        ...(since !== undefined && { since }),
        ...(after !== null && { after }),
      });
      const page: Page = await pageOf(`?${query}`);
      const sessions = Buffer.from(page.sessions as string, 'base64').toString('hex');
      expect(sessions.length / 40).toBeLessThanOrEqual(20_000);
      for (let at = 0; at < sessions.length; at += 40) ids.add(sessions.slice(at, at + 32));
      after = page.next;
    } while (after !== null);
    expect(ids.size).toBeGreaterThanOrEqual(100_000);
  }
  const { access_token: token, refresh_token } = await service.session('ada@acme.example');
  expect((await service.get('/api/v1/me', token)).status).toBe(200);
  await service.post('/api/v1/auth/logout', { refresh_token });
  await service.within2Seconds(async () => (await service.get('/api/v1/me', token)).status === 401);
});

test.each([
  ['?since=yesterday', 'since must be an RFC 3339 timestamp with a zone, such as 2026-01-31T12:00:00Z.'],
  ['?since=', 'since must be an RFC 3339 timestamp with a zone, such as 2026-01-31T12:00:00Z.'],
  ['?since=2026-01-31', 'since must be an RFC 3339 timestamp with a zone, such as 2026-01-31T12:00:00Z.'],
  ['?since=2026-01-31T12:00:00Z&since=2026-01-31T12:00:00Z', 'since must be a string.'],
  ['?after=2026-01-31T12:00:00Z', 'after must be the `next` of a page.'],
  ['?after=yesterday_7', 'after must be the `next` of a page.'],
  ['?format=zip', 'format must be one of the following values: compact.'],
  ['?until=2026-01-31T12:00:00Z', 'until is not accepted. Accepted: since, after, format.'],
])('rejects %s', async (query, detail) => {
  const response = await feed(query);
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({ title: 'Invalid Request', detail });
});
