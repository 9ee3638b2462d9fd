import { ContactDesk, ORIGIN, REQUEST } from '../support/contact-desk.ts';
import { send } from '../support/http.ts';

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

  it('is the one place that takes forms', async () => {
    const headers = { origin: ORIGIN, 'content-type': 'application/x-www-form-urlencoded' };
    expect((await desk.submit('firstName=Ada', headers)).status).toBe(415);
  });
});
