import { randomUUID } from 'node:crypto';
import { freePort } from '@gpu-observatory/embedded-database';
import { KEYS } from '../support/account-stand-in.ts';
import { ContactDesk, ORIGIN, REQUEST } from '../support/contact-desk.ts';
import { runtimeUrl, startWebsite } from '../support/website.ts';

let desk: ContactDesk;

beforeAll(async () => {
  desk = await ContactDesk.open();
});

beforeEach(() => desk.forgetAll());

afterAll(() => desk.close());

describe('POST /api/contact', () => {
  it('stores a request before it says so', async () => {
    const { status, headers, body } = await desk.submit();
    expect(status).toBe(202);
    expect(headers['cache-control']).toBe('no-store');
    expect(body).toEqual({
      message: 'Thank you. Your request has arrived, and a person will answer it.',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(await desk.stored()).toEqual([
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
    const { company: _company, ...rest } = REQUEST;
    expect((await desk.submit(rest)).status).toBe(202);
    expect(await desk.stored()).toMatchObject([{ company: '' }]);
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
    expect((await desk.submit(REQUEST, headers)).status).toBe(status);
    expect(await desk.stored()).toMatchObject([{ came_by: cameBy }]);
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
    const answer = await desk.submit(REQUEST, headers);
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(answer.body.detail).toContain(detail);
    expect(await desk.stored()).toEqual([]);
  });

  it('asks account-service only for what can be a key', async () => {
    desk.account.asked.length = 0;
    await desk.submit(REQUEST, { 'x-api-key': 'secret' });
    await desk.submit(REQUEST, { origin: ORIGIN });
    expect(desk.account.asked).toEqual([]);
  });

  it.each([
    ['fails', KEYS.broken],
    ['does not answer', KEYS.slow],
  ])('answers 503 when account-service %s, within 3 s and for the key path alone', async (_what, key) => {
    const begun = performance.now();
    const { status, headers } = await desk.submit(REQUEST, { 'x-api-key': key });
    expect(status).toBe(503);
    expect(headers['retry-after']).toBe('1');
    expect(performance.now() - begun).toBeLessThan(3_000);
    expect((await desk.submit()).status).toBe(202);
  });

  it('answers 503 to keys when nobody said where account-service is', async () => {
    const alone = await startWebsite(runtimeUrl(desk.database));
    try {
      expect((await desk.submit(REQUEST, { 'x-api-key': KEYS.contact }, alone.publicUrl)).status).toBe(503);
      expect((await desk.submit(REQUEST, { 'x-api-key': 'secret' }, alone.publicUrl)).status).toBe(401);
      expect((await desk.submit(REQUEST, { origin: ORIGIN }, alone.publicUrl)).status).toBe(202);
    } finally {
      await alone.close();
    }
  });
});

describe('the limit', () => {
  it('is told in headers, and too many are refused with Retry-After, before anything else', async () => {
    await desk.owner.query('DELETE FROM website.rate_limits');
    const limited = await desk.start({ RATE_LIMITS: 'true' });
    try {
      const first = await desk.submit(REQUEST, { origin: ORIGIN }, limited.publicUrl);
      expect(first.headers).toMatchObject({ 'ratelimit-limit': '30', 'ratelimit-remaining': '29' });
      for (let left = 29; left > 0; left -= 1) await desk.submit('{', {}, limited.publicUrl);
      for (let left = 29; left > 0; left -= 1) await desk.submit({}, {}, limited.publicUrl);
      const refused = await desk.submit(REQUEST, { origin: ORIGIN }, limited.publicUrl);
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
      const { status, headers } = await desk.submit(REQUEST, { origin: ORIGIN }, alone.publicUrl);
      expect([status, headers['retry-after']]).toEqual([503, '1']);
    } finally {
      await alone.close();
    }
  });
});
