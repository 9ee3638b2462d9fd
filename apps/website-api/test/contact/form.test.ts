import { freePort } from '@gpu-observatory/embedded-database';
import { ContactDesk, ORIGIN, REQUEST } from '../support/contact-desk.ts';
import { send } from '../support/http.ts';
import { startWebsite } from '../support/website.ts';

let desk: ContactDesk;

beforeAll(async () => {
  desk = await ContactDesk.open();
});

beforeEach(() => desk.forgetAll());

afterAll(() => desk.close());

describe('the form at /contact', () => {
  const sendForm = (fields: Record<string, string>, headers: Record<string, string> = { origin: ORIGIN }) =>
    send(desk.url, '/contact', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(fields).toString(),
    });

  it('works without a script: stores what it sends and leads to a page', async () => {
    const answer = await sendForm({ ...REQUEST, message: 'Two\r\nlines.', nickname: '' });
    expect(answer.status).toBe(303);
    expect(answer.headers).toMatchObject({ location: '/contact/sent', 'cache-control': 'no-store' });
    expect(await desk.stored()).toMatchObject([{ first_name: 'Ada', message: 'Two\nlines.' }]);
    expect((await send(desk.url, '/contact/sent')).text).toContain('<h1>Thank you</h1>');
    expect((await send(desk.url, '/contact/sent.md')).text).toMatch(/^# Thank you\n/);
  });

  it.each([
    [
      'a field that is wrong',
      { ...REQUEST, email: '<b>' },
      { origin: ORIGIN },
      400,
      'should be a mail address',
    ],
    [
      'a page of somebody else',
      REQUEST,
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
    expect(await desk.stored()).toEqual([]);
  });

  const FORM = 'application/x-www-form-urlencoded';
  const GOOD = new URLSearchParams(REQUEST).toString();

  it.each([
    ['a field that comes twice', FORM, `${GOOD}&email=b%40example.org`, 400, 'The field "email" came twice'],
    [
      'a field named as members of objects are',
      FORM,
      `${GOOD}&toString=x`,
      400,
      'There is no parameter "toString" here',
    ],
    ['a dangerous field', FORM, `${GOOD}&__proto__=x`, 400, 'There is no parameter "__proto__" here'],
    ['a NUL', FORM, 'message=x%00y', 400, 'NUL character'],
    ['70,000 bytes', FORM, `message=${'x'.repeat(70_000)}`, 413, 'body is too large'],
    ['a body of another type', 'text/plain', 'message=x', 415, 'Unsupported Media Type'],
    ['half of a JSON object', 'application/json', '{', 400, 'JSON'],
  ])('answers %s with a page that says why', async (_what, type, body, status, reason) => {
    const answer = await send(desk.url, '/contact', {
      method: 'POST',
      headers: { origin: ORIGIN, 'content-type': type },
      body,
    });
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
    });
    expect(answer.text).toContain('<h1>Not sent</h1>');
    expect(answer.text.replaceAll('&quot;', '"')).toContain(reason);
    expect(await desk.stored()).toEqual([]);
  });

  it('says with a page when to come again while the database is away', async () => {
    const website = await startWebsite(`postgres://website_api:x@127.0.0.1:${await freePort()}/website`);
    try {
      const answer = await send(website.publicUrl, '/contact', {
        method: 'POST',
        headers: { origin: ORIGIN, 'content-type': FORM },
        body: GOOD,
      });
      expect(answer.status).toBe(503);
      expect(answer.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'retry-after': '1',
      });
      expect(answer.text).toContain('<h1>Not sent</h1>');
    } finally {
      await website.close();
    }
  });

  it('is the one place that takes forms', async () => {
    const headers = { origin: ORIGIN, 'content-type': 'application/x-www-form-urlencoded' };
    expect((await desk.submit('firstName=Ada', headers)).status).toBe(415);
  });
});
