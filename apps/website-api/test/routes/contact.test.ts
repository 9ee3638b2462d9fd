import { randomUUID } from 'node:crypto';
import { KEYS } from '../support/fake-account-service.ts';
import { ORIGIN, REQUEST, useContactFixture } from '../support/contact-fixture.ts';
import { runtimeUrl, startWebsite } from '../support/website.ts';

const fixture = useContactFixture();

describe('POST /api/contact', () => {
  it('stores a request and returns a receipt', async () => {
    const { status, headers, body } = await fixture.submit();
    expect(status).toBe(202);
    expect(headers['cache-control']).toBe('no-store');
    expect(body).toEqual({
      message: 'Thank you. We have received your request and will reply by mail.',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(await fixture.stored()).toEqual([
      {
        id: body.id,
        first_name: 'Ada',
        email: 'ada@example.org',
        company: 'Engines',
        message: 'A demo, please.',
        sender: `origin ${ORIGIN}`,
      },
    ]);
  });

  it('accepts a request without a company', async () => {
    const { company: _company, ...rest } = REQUEST;
    expect((await fixture.submit(rest)).status).toBe(202);
    expect(await fixture.stored()).toMatchObject([{ company: '' }]);
  });

  it.each([
    ['an allowed origin', { origin: 'https://app.example' }, 202, 'origin https://app.example'],
    ['a key with the scope', { 'x-api-key': KEYS.contact }, 202, 'key 7'],
    [
      'such a key from any origin',
      { 'x-api-key': KEYS.contact, origin: 'https://evil.example' },
      202,
      'key 7',
    ],
    ['such a key in capitals', { 'x-api-key': KEYS.contact.toUpperCase().replace('A', 'a') }, 202, 'key 7'],
  ])('accepts a request from %s', async (_who, headers: Record<string, string>, status, sender) => {
    expect((await fixture.submit(REQUEST, headers)).status).toBe(status);
    expect(await fixture.stored()).toMatchObject([{ sender: sender }]);
  });

  it.each([
    ['neither origin nor key', {}, 401, 'Send an API key with the scope contact:write'],
    ['another origin', { origin: 'https://evil.example' }, 403, 'This origin may not'],
    ['a look-alike origin', { origin: 'https://site.example.evil.example' }, 403, 'This origin may not'],
    ['a null origin', { origin: 'null' }, 403, 'This origin may not'],
    ['an unknown key', { 'x-api-key': randomUUID() }, 401, 'The API key is unknown'],
    ['an unknown key from an allowed origin', { 'x-api-key': randomUUID(), origin: ORIGIN }, 401, 'unknown'],
    ['a malformed key', { 'x-api-key': 'secret', origin: ORIGIN }, 401, 'unknown'],
    ['an empty key', { 'x-api-key': '', origin: ORIGIN }, 401, 'unknown'],
    ['a key without the scope', { 'x-api-key': KEYS.telemetry }, 403, 'lacks the scope contact:write'],
    [
      'such a key from an allowed origin',
      { 'x-api-key': KEYS.telemetry, origin: ORIGIN },
      403,
      'lacks the scope',
    ],
  ])('rejects a request from %s', async (_who, headers: Record<string, string>, status, detail) => {
    const response = await fixture.submit(REQUEST, headers);
    expect(response.status).toBe(status);
    expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(response.body.detail).toContain(detail);
    expect(await fixture.stored()).toEqual([]);
  });

  it('introspects only well-formed keys', async () => {
    fixture.account.introspectedKeys.length = 0;
    await fixture.submit(REQUEST, { 'x-api-key': 'secret' });
    await fixture.submit(REQUEST, { origin: ORIGIN });
    expect(fixture.account.introspectedKeys).toEqual([]);
  });

  it.each([
    ['fails', KEYS.broken],
    ['does not respond', KEYS.slow],
  ])('returns 503 within 3 s when account-service %s, but accepts requests by origin', async (_what, key) => {
    const startedAt = performance.now();
    const { status, headers } = await fixture.submit(REQUEST, { 'x-api-key': key });
    expect(status).toBe(503);
    expect(headers['retry-after']).toBe('1');
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    expect((await fixture.submit()).status).toBe(202);
  });

  it('returns 503 for keys when ACCOUNT_INTERNAL_URL is not set', async () => {
    const standalone = await startWebsite(runtimeUrl(fixture.database));
    try {
      expect(
        (await fixture.submit(REQUEST, { 'x-api-key': KEYS.contact }, standalone.publicUrl)).status,
      ).toBe(503);
      expect((await fixture.submit(REQUEST, { 'x-api-key': 'secret' }, standalone.publicUrl)).status).toBe(
        401,
      );
      expect((await fixture.submit(REQUEST, { origin: ORIGIN }, standalone.publicUrl)).status).toBe(202);
    } finally {
      await standalone.close();
    }
  });
});

describe('rate limit', () => {
  it('is reported in headers and checked before authorization and validation', async () => {
    await fixture.owner.query('DELETE FROM website.rate_limits');
    const limited = await fixture.start({ RATE_LIMITS: 'true' });
    try {
      const first = await fixture.submit(REQUEST, { origin: ORIGIN }, limited.publicUrl);
      expect(first.headers).toMatchObject({ 'ratelimit-limit': '30', 'ratelimit-remaining': '29' });
      for (let left = 29; left > 0; left -= 1) await fixture.submit('{', {}, limited.publicUrl);
      for (let left = 29; left > 0; left -= 1) await fixture.submit({}, {}, limited.publicUrl);
      const rejected = await fixture.submit(REQUEST, { origin: ORIGIN }, limited.publicUrl);
      expect(rejected.status).toBe(429);
      expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0);
      expect(rejected.body.detail).toContain('Too many requests');
    } finally {
      await limited.close();
    }
  });
});
