import { randomUUID } from 'node:crypto';
import { freePort, type TestDatabase } from '@gpu-observatory/embedded-database';
import type { RunningService } from '@gpu-observatory/service-runtime';
import pg from 'pg';
import { websiteApi } from '../../src/website-api.ts';
import { type AccountStandIn, CREDENTIAL, KEYS, startAccountStandIn } from '../support/account-stand-in.ts';
import { send } from '../support/http.ts';
import { createWebsiteDatabase, ownerUrl, runtimeUrl, startWebsite } from '../support/website.ts';

const ORIGIN = 'https://site.example';
const request = {
  firstName: 'Ada',
  email: 'ada@example.org',
  company: 'Engines',
  message: 'A demo, please.',
};

let database: TestDatabase;
let website: RunningService;
let account: AccountStandIn;
let owner: pg.Client;

beforeAll(async () => {
  database = await createWebsiteDatabase();
  account = await startAccountStandIn();
  website = await start({});
  owner = new pg.Client({ connectionString: ownerUrl(database) });
  await owner.connect();
});

beforeEach(() => owner.query('DELETE FROM website.contact_requests'));

afterAll(async () => {
  await owner.end();
  await website.close();
  await account.stop();
  await database.drop();
});

function start(environment: Record<string, string>): Promise<RunningService> {
  return startWebsite(runtimeUrl(database), websiteApi, {
    ALLOWED_ORIGINS: 'https://app.example',
    ACCOUNT_INTERNAL_URL: account.url,
    INTERNAL_CREDENTIAL: CREDENTIAL,
    RATE_LIMITS: 'false',
    ...environment,
  });
}

async function submit(
  body: unknown = request,
  headers: Record<string, string> = { origin: ORIGIN },
  url = website.publicUrl,
) {
  const answer = await send(url, '/api/contact', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { ...answer, body: JSON.parse(answer.text) as { id: string; detail: string; message: string } };
}

const stored = async () =>
  (await owner.query('SELECT id, first_name, email, company, message, came_by FROM website.contact_requests'))
    .rows;

describe('POST /api/contact', () => {
  it('stores a request before it says so', async () => {
    const { status, headers, body } = await submit();
    expect(status).toBe(202);
    expect(headers['cache-control']).toBe('no-store');
    expect(body).toEqual({
      message: 'Thank you. Your request has arrived, and a person will answer it.',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(await stored()).toEqual([
      {
        id: body.id,
        first_name: 'Ada',
        email: 'ada@example.org',
        company: 'Engines',
        message: 'A demo, please.',
        came_by: `origin ${ORIGIN}`,
      },
    ]);
  });

  it('does without a company', async () => {
    const { company: _company, ...rest } = request;
    expect((await submit(rest)).status).toBe(202);
    expect(await stored()).toMatchObject([{ company: '' }]);
  });

  it.each([
    ['an allowed origin', { origin: 'https://app.example' }, 202, 'origin https://app.example'],
    ['a key with the scope', { 'x-api-key': KEYS.contact }, 202, 'key 7'],
    [
      'such a key from whatever origin',
      { 'x-api-key': KEYS.contact, origin: 'https://evil.example' },
      202,
      'key 7',
    ],
    ['such a key in capitals', { 'x-api-key': KEYS.contact.toUpperCase().replace('A', 'a') }, 202, 'key 7'],
  ])('takes it from %s', async (_who, headers: Record<string, string>, status, cameBy) => {
    expect((await submit(request, headers)).status).toBe(status);
    expect(await stored()).toMatchObject([{ came_by: cameBy }]);
  });

  it.each([
    ['neither origin nor key', {}, 401, 'Send an API key with the scope contact:write'],
    ['another origin', { origin: 'https://evil.example' }, 403, 'Pages of this origin may not'],
    ['a look-alike origin', { origin: 'https://site.example.evil.example' }, 403, 'Pages of this origin'],
    ['no origin at all', { origin: 'null' }, 403, 'Pages of this origin'],
    ['an unknown key', { 'x-api-key': randomUUID() }, 401, 'This API key is not known'],
    [
      'an unknown key from an allowed origin',
      { 'x-api-key': randomUUID(), origin: ORIGIN },
      401,
      'not known',
    ],
    ['what is no key', { 'x-api-key': 'secret', origin: ORIGIN }, 401, 'not known'],
    ['an empty key', { 'x-api-key': '', origin: ORIGIN }, 401, 'not known'],
    ['a key without the scope', { 'x-api-key': KEYS.telemetry }, 403, 'lacks the scope contact:write'],
    [
      'such a key from an allowed origin',
      { 'x-api-key': KEYS.telemetry, origin: ORIGIN },
      403,
      'lacks the scope',
    ],
  ])('refuses it from %s', async (_who, headers: Record<string, string>, status, detail) => {
    const answer = await submit(request, headers);
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(answer.body.detail).toContain(detail);
    expect(await stored()).toEqual([]);
  });

  it('asks account-service only for what can be a key', async () => {
    account.asked.length = 0;
    await submit(request, { 'x-api-key': 'secret' });
    await submit(request, { origin: ORIGIN });
    expect(account.asked).toEqual([]);
  });

  it.each([
    ['fails', KEYS.broken],
    ['does not answer', KEYS.slow],
  ])('answers 503 when account-service %s, within 3 s and for the key path alone', async (_what, key) => {
    const begun = performance.now();
    const { status, headers } = await submit(request, { 'x-api-key': key });
    expect(status).toBe(503);
    expect(headers['retry-after']).toBe('1');
    expect(performance.now() - begun).toBeLessThan(3_000);
    expect((await submit()).status).toBe(202);
  });

  it('answers 503 to keys when nobody said where account-service is', async () => {
    const alone = await startWebsite(runtimeUrl(database));
    try {
      expect((await submit(request, { 'x-api-key': KEYS.contact }, alone.publicUrl)).status).toBe(503);
      expect((await submit(request, { 'x-api-key': 'secret' }, alone.publicUrl)).status).toBe(401);
      expect((await submit(request, { origin: ORIGIN }, alone.publicUrl)).status).toBe(202);
    } finally {
      await alone.close();
    }
  });
});

describe('the body', () => {
  it.each([
    ['no name', { ...request, firstName: undefined }, '"firstName" should be'],
    ['an empty name', { ...request, firstName: '' }, '"firstName" should be'],
    ['a blank name', { ...request, firstName: '  ' }, '"firstName" should be one line that is not blank'],
    [
      'a name of two lines',
      { ...request, firstName: 'Ada\r\nBcc: all@example.org' },
      '"firstName" should be one line',
    ],
    ['a long name', { ...request, firstName: 'x'.repeat(101) }, '"firstName" should be a text of 1 to 100'],
    ['a name that is no text', { ...request, firstName: 7 }, '"firstName" should be'],
    ['names', { ...request, firstName: ['Ada'] }, '"firstName" should be'],
    ['no mail address', { ...request, email: undefined }, '"email" should be a mail address'],
    ['half a mail address', { ...request, email: 'ada@' }, '"email" should be a mail address'],
    ['two mail addresses', { ...request, email: 'a@example.org, b@example.org' }, '"email" should be'],
    [
      'a mail address with a line',
      { ...request, email: 'a@example.org\nBcc: b@example.org' },
      '"email" should be',
    ],
    ['a long company', { ...request, company: 'x'.repeat(201) }, '"company" should be a text of at most 200'],
    ['null for a company', { ...request, company: null }, '"company" should be'],
    ['a company of two lines', { ...request, company: 'a\nb' }, '"company" should be one line'],
    ['no message', { ...request, message: undefined }, '"message" should be'],
    ['a blank message', { ...request, message: ' \n ' }, '"message" should not be blank'],
    ['a long message', { ...request, message: 'x'.repeat(5_001) }, '"message" should be a text of 1 to 5000'],
    ['a NUL', { ...request, message: 'a\0b' }, 'NUL'],
    ['half a character', `{"firstName":"a","email":"a@example.org","message":"\\ud800"}`, 'surrogate'],
    ['an unknown member', { ...request, lastName: 'L' }, 'There is no parameter "lastName" here'],
    ['a dangerous member', `{"__proto__":{},"firstName":"a","email":"a@example.org","message":"m"}`, ''],
    ['a list', [request], 'Send a JSON object'],
    ['a text', '"hello"', 'Send a JSON object'],
    ['nothing', '', 'Send a JSON object'],
    ['no JSON', '{', ''],
  ])('with %s is refused', async (_what, body, detail) => {
    const answer = await submit(body);
    expect(answer.status).toBe(400);
    expect(answer.body.detail).toContain(detail);
    expect(await stored()).toEqual([]);
  });

  it('may be as long as it may, in any script', async () => {
    const body = {
      firstName: '字'.repeat(100),
      email: 'ada@example.org',
      company: 'é'.repeat(200),
      message: '🔭\n'.repeat(2_500),
    };
    expect((await submit(body)).status).toBe(202);
    expect(await stored()).toMatchObject([{ first_name: body.firstName, message: body.message }]);
  });

  it('is refused as another type, and when it is too large', async () => {
    expect((await submit('a=b', { origin: ORIGIN, 'content-type': 'text/csv' })).status).toBe(415);
    expect((await submit({ ...request, message: 'x'.repeat(70_000) })).status).toBe(413);
  });

  it('with the field that people do not see is answered like any other and not kept', async () => {
    const { status, body } = await submit({ ...request, nickname: 'bot' });
    expect(status).toBe(202);
    expect(Object.keys(body)).toEqual(['message', 'id']);
    expect(await stored()).toEqual([]);
  });
});

describe('Idempotency-Key', () => {
  it('makes one request of many, at once or one after the other', async () => {
    const headers = { origin: ORIGIN, 'idempotency-key': randomUUID() };
    const answers = await Promise.all(Array.from({ length: 10 }, () => submit(request, headers)));
    const again = await submit(request, headers);
    expect(new Set([...answers, again].map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    expect(await stored()).toHaveLength(1);
  });

  it('is refused with another request, and is each sender’s own', async () => {
    const headers = { origin: ORIGIN, 'idempotency-key': 'one' };
    expect((await submit(request, headers)).status).toBe(202);
    expect((await submit({ ...request, message: 'Another.' }, headers)).status).toBe(409);
    expect((await submit(request, { 'x-api-key': KEYS.contact, 'idempotency-key': 'one' })).status).toBe(202);
    expect(await stored()).toHaveLength(2);
  });

  it('means a new request after a day', async () => {
    const headers = { origin: ORIGIN, 'idempotency-key': 'one' };
    const first = await submit(request, headers);
    await owner.query(`UPDATE website.contact_requests SET received_at = now() - interval '25 hours'`);
    expect((await submit(request, headers)).body.id).not.toBe(first.body.id);
  });

  it.each(['', 'with blank', 'x'.repeat(256)])('%j is none', async (key) => {
    expect((await submit(request, { origin: ORIGIN, 'idempotency-key': key })).status).toBe(400);
  });
});

describe('the form at /contact', () => {
  const sendForm = (fields: Record<string, string>, headers: Record<string, string> = { origin: ORIGIN }) =>
    send(website.publicUrl, '/contact', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(fields).toString(),
    });

  it('works without a script: stores what it sends and leads to a page', async () => {
    const answer = await sendForm({ ...request, message: 'Two\r\nlines.', nickname: '' });
    expect(answer.status).toBe(303);
    expect(answer.headers).toMatchObject({ location: '/contact/sent', 'cache-control': 'no-store' });
    expect(await stored()).toMatchObject([{ first_name: 'Ada', message: 'Two\nlines.' }]);
    expect((await send(website.publicUrl, '/contact/sent')).text).toContain('<h1>Thank you</h1>');
    expect((await send(website.publicUrl, '/contact/sent.md')).text).toMatch(/^# Thank you\n/);
  });

  it.each([
    [
      'a field that is wrong',
      { ...request, email: '<b>' },
      { origin: ORIGIN },
      400,
      'should be a mail address',
    ],
    [
      'a page of somebody else',
      request,
      { origin: 'https://evil.example' },
      403,
      'Pages of this origin may not',
    ],
  ])('answers %s with a page that says why', async (_what, fields, headers, status, reason) => {
    const answer = await sendForm(fields, headers);
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.text).toContain('<h1>Not sent</h1>');
    expect(answer.text).toContain(reason);
    expect(await stored()).toEqual([]);
  });

  it('is the one place that takes forms', async () => {
    const headers = { origin: ORIGIN, 'content-type': 'application/x-www-form-urlencoded' };
    expect((await submit('firstName=Ada', headers)).status).toBe(415);
  });
});

describe('the limit', () => {
  it('is told in headers, and too many are refused with Retry-After, before anything else', async () => {
    await owner.query('DELETE FROM website.rate_limits');
    const limited = await start({ RATE_LIMITS: 'true' });
    try {
      const first = await submit(request, { origin: ORIGIN }, limited.publicUrl);
      expect(first.headers).toMatchObject({ 'ratelimit-limit': '30', 'ratelimit-remaining': '29' });
      for (let left = 29; left > 0; left -= 1) await submit('{', {}, limited.publicUrl);
      for (let left = 29; left > 0; left -= 1) await submit({}, {}, limited.publicUrl);
      const refused = await submit(request, { origin: ORIGIN }, limited.publicUrl);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expect(refused.body.detail).toContain('Too many requests');
    } finally {
      await limited.close();
    }
  });
});

describe('while the database is away', () => {
  it('answers 503: nothing is taken that is not stored', async () => {
    const alone = await startWebsite(`postgres://website_api:x@127.0.0.1:${await freePort()}/website`);
    try {
      const { status, headers } = await submit(request, { origin: ORIGIN }, alone.publicUrl);
      expect([status, headers['retry-after']]).toEqual([503, '1']);
    } finally {
      await alone.close();
    }
  });
});
