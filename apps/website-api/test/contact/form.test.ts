import { freePort } from '@gpu-observatory/embedded-database';
import { ORIGIN, REQUEST, useContactFixture } from '../support/contact-fixture.ts';
import { send } from '../support/http.ts';
import { startWebsite } from '../support/website.ts';

const fixture = useContactFixture();

describe('POST /contact', () => {
  const sendForm = (fields: Record<string, string>, headers: Record<string, string> = { origin: ORIGIN }) =>
    send(fixture.url, '/contact', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(fields).toString(),
    });

  it('stores the request and redirects to a confirmation page', async () => {
    const response = await sendForm({ ...REQUEST, message: 'Two\r\nlines.', nickname: '' });
    expect(response.status).toBe(303);
    expect(response.headers).toMatchObject({ location: '/contact/sent', 'cache-control': 'no-store' });
    expect(await fixture.stored()).toMatchObject([{ first_name: 'Ada', message: 'Two\nlines.' }]);
    expect((await send(fixture.url, '/contact/sent')).text).toContain('<h1>Thank you</h1>');
    expect((await send(fixture.url, '/contact/sent.md')).text).toMatch(/^# Thank you\n/);
  });

  it.each([
    ['an invalid field', { ...REQUEST, email: '<b>' }, { origin: ORIGIN }, 400, 'Must be an email address'],
    ['another origin', REQUEST, { origin: 'https://evil.example' }, 403, 'This origin may not'],
  ])('shows the reason on a page for %s', async (_what, fields, headers, status, reason) => {
    const response = await sendForm(fields, headers);
    expect(response.status).toBe(status);
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(response.text).toContain('<h1>Not sent</h1>');
    expect(response.text).toContain(reason);
    expect(await fixture.stored()).toEqual([]);
  });

  it('keeps the values of an invalid form, with the error at each field and focus on the first', async () => {
    const fields = {
      firstName: 'Ada "A" <b>',
      email: 'ada',
      company: ' Engines ',
      message: ' \n</textarea>',
    };
    const { text } = await sendForm({ ...fields, firstName: '', message: ' ' });
    expect(text).toContain('Please correct the marked fields.');
    expect(text.match(/autofocus/g)).toHaveLength(1);
    expect(text).toMatch(/<input id="firstName"[^>]* aria-describedby="firstName-error" autofocus/);
    expect(text).toContain(
      '<span class="invalid" id="firstName-error">Must be a text of 1 to 100 characters.',
    );
    expect(text).toMatch(/<input id="email"[^>]* aria-invalid="true"[^>]* value="ada"/);
    expect(text).toMatch(/<input id="company"[^>]* value=" Engines "/);
    expect(text).toContain('<span class="invalid" id="message-error">Must not be blank.');
    const escaped = (await sendForm(fields)).text;
    expect(escaped).toContain('value="Ada &quot;A&quot; &lt;b>"');
    expect(escaped).toMatch(/<textarea[^>]*> \n&lt;\/textarea>/);
    expect(await fixture.stored()).toEqual([]);
  });

  it('trims the email address', async () => {
    expect((await sendForm({ ...REQUEST, email: ' ada@example.org ' })).status).toBe(303);
    expect(await fixture.stored()).toMatchObject([{ email: 'ada@example.org' }]);
  });

  const FORM = 'application/x-www-form-urlencoded';
  const GOOD = new URLSearchParams(REQUEST).toString();

  it.each([
    [
      'a repeated field',
      FORM,
      `${GOOD}&email=b%40example.org`,
      400,
      'The field "email" occurs more than once',
    ],
    ['a field named like an Object method', FORM, `${GOOD}&toString=x`, 400, '"toString" is not accepted.'],
    ['the field __proto__', FORM, `${GOOD}&__proto__=x`, 400, '"__proto__" is not accepted.'],
    ['a NUL', FORM, 'message=x%00y', 400, 'NUL character'],
    ['70,000 bytes', FORM, `message=${'x'.repeat(70_000)}`, 413, 'body is too large'],
    [
      'another content type',
      'text/plain',
      'message=x',
      415,
      'Content-Type: application/x-www-form-urlencoded',
    ],
    [
      'JSON',
      'application/json',
      JSON.stringify(REQUEST),
      415,
      'Content-Type: application/x-www-form-urlencoded',
    ],
  ])('shows the reason on a page for %s', async (_what, type, body, status, reason) => {
    const response = await send(fixture.url, '/contact', {
      method: 'POST',
      headers: { origin: ORIGIN, 'content-type': type },
      body,
    });
    expect(response.status).toBe(status);
    expect(response.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
    });
    expect(response.text).toContain('<h1>Not sent</h1>');
    expect(response.text.replaceAll('&quot;', '"')).toContain(reason);
    expect(await fixture.stored()).toEqual([]);
  });

  it('shows a page with 503 and Retry-After while the database is unavailable', async () => {
    const website = await startWebsite(`postgres://website_api:x@127.0.0.1:${await freePort()}/website`);
    try {
      const response = await send(website.publicUrl, '/contact', {
        method: 'POST',
        headers: { origin: ORIGIN, 'content-type': FORM },
        body: GOOD,
      });
      expect(response.status).toBe(503);
      expect(response.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'retry-after': '1',
      });
      expect(response.text).toContain('<h1>Not sent</h1>');
    } finally {
      await website.close();
    }
  });

  it('is the only endpoint that accepts forms', async () => {
    const headers = { origin: ORIGIN, 'content-type': 'application/x-www-form-urlencoded' };
    expect((await fixture.submit('firstName=Ada', headers)).status).toBe(415);
  });
});
