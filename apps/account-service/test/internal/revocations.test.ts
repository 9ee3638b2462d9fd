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

test('requires the service credential', async () => {
  for (const authorization of [
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
});

test('rejects an access token', async () => {
  const { access_token: token } = await service.session('ada@acme.example');
  expect((await feed('', `Bearer ${token}`)).status).toBe(401);
});

test('is not on the public port', async () => {
  expect((await feed('', `Bearer ${INTERNAL_CREDENTIAL}`, service.url)).status).toBe(404);
});

test('returns the revocations since a time, or all effective ones', async () => {
  const insert = (kind: string, id: string, age: string) =>
    service.database.asOwner.query({
      text: `INSERT INTO account.revocations (kind, subject_id, not_before, recorded_at)
             VALUES ($1, $2, now() - $3::interval, now() - $3::interval)`,
      values: [kind, id, age],
    });
  await insert('user', '7', '25 hours');
  await insert('signing_key', 'stolen', '90 days');
  await insert('customer', '3', '1 hour');
  await insert('user', '8', '1 minute');
  await insert('user', '8', '2 hours');
  const ids = async (response: Response) =>
    ((await response.json()) as { revocations: { kind: string; id: string }[] }).revocations.map(
      ({ kind, id }) => `${kind} ${id}`,
    );
  expect(await ids(await feed())).toEqual(['signing_key stolen', 'customer 3', 'user 8']);
  const since = new Date(Date.now() - 10 * 60_000).toISOString();
  expect(await ids(await feed(`?since=${since}`))).toEqual(['user 8']);
});

test.each([
  ['?since=yesterday', 'since must be an RFC 3339 timestamp with a zone, such as 2026-01-31T12:00:00Z.'],
  ['?since=', 'since must be an RFC 3339 timestamp with a zone, such as 2026-01-31T12:00:00Z.'],
  ['?since=2026-01-31', 'since must be an RFC 3339 timestamp with a zone, such as 2026-01-31T12:00:00Z.'],
  ['?since=2026-01-31T12:00:00Z&since=2026-01-31T12:00:00Z', 'since must be a string.'],
  ['?until=2026-01-31T12:00:00Z', 'until is unknown; remove it.'],
])('rejects %s', async (query, detail) => {
  const response = await feed(query);
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({ title: 'Invalid Request', detail });
});
