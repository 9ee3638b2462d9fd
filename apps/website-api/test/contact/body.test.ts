import { ContactDesk, ORIGIN, REQUEST } from '../support/contact-desk.ts';

let desk: ContactDesk;

beforeAll(async () => {
  desk = await ContactDesk.open();
});

beforeEach(() => desk.forgetAll());

afterAll(() => desk.close());

describe('the body', () => {
  it.each([
    ['no name', { ...REQUEST, firstName: undefined }, '"firstName" should be'],
    ['an empty name', { ...REQUEST, firstName: '' }, '"firstName" should be'],
    ['a blank name', { ...REQUEST, firstName: '  ' }, '"firstName" should be one line that is not blank'],
    [
      'a name of two lines',
      { ...REQUEST, firstName: 'Ada\r\nBcc: all@example.org' },
      '"firstName" should be one line',
    ],
    ['a long name', { ...REQUEST, firstName: 'x'.repeat(101) }, '"firstName" should be a text of 1 to 100'],
    ['a name that is no text', { ...REQUEST, firstName: 7 }, '"firstName" should be'],
    ['names', { ...REQUEST, firstName: ['Ada'] }, '"firstName" should be'],
    ['no mail address', { ...REQUEST, email: undefined }, '"email" should be a mail address'],
    ['half a mail address', { ...REQUEST, email: 'ada@' }, '"email" should be a mail address'],
    ['two mail addresses', { ...REQUEST, email: 'a@example.org, b@example.org' }, '"email" should be'],
    [
      'a mail address with a line',
      { ...REQUEST, email: 'a@example.org\nBcc: b@example.org' },
      '"email" should be',
    ],
    ['a long company', { ...REQUEST, company: 'x'.repeat(201) }, '"company" should be a text of at most 200'],
    ['null for a company', { ...REQUEST, company: null }, '"company" should be'],
    ['a company of two lines', { ...REQUEST, company: 'a\nb' }, '"company" should be one line'],
    ['no message', { ...REQUEST, message: undefined }, '"message" should be'],
    ['a blank message', { ...REQUEST, message: ' \n ' }, '"message" should not be blank'],
    ['a long message', { ...REQUEST, message: 'x'.repeat(5_001) }, '"message" should be a text of 1 to 5000'],
    ['a NUL', { ...REQUEST, message: 'a\0b' }, 'NUL'],
    ['half a character', `{"firstName":"a","email":"a@example.org","message":"\\ud800"}`, 'surrogate'],
    ['an unknown member', { ...REQUEST, lastName: 'L' }, 'There is no parameter "lastName" here'],
    ['the member toString', { ...REQUEST, toString: 'x' }, 'There is no parameter "toString" here'],
    [
      'the member hasOwnProperty',
      { ...REQUEST, hasOwnProperty: 'x' },
      'There is no parameter "hasOwnProperty" here',
    ],
    ['the member valueOf', { ...REQUEST, valueOf: 'x' }, 'There is no parameter "valueOf" here'],
    ['the member constructor', { ...REQUEST, constructor: 'x' }, 'There is no parameter "constructor" here'],
    ['a dangerous member', `{"__proto__":{},"firstName":"a","email":"a@example.org","message":"m"}`, ''],
    ['a list', [REQUEST], 'Send a JSON object'],
    ['a text', '"hello"', 'Send a JSON object'],
    ['nothing', '', 'Send a JSON object'],
    ['no JSON', '{', ''],
  ])('with %s is refused', async (_what, body, detail) => {
    const answer = await desk.submit(body);
    expect(answer.status).toBe(400);
    expect(answer.body.detail).toContain(detail);
    expect(await desk.stored()).toEqual([]);
  });

  it('may be as long as it may, in any script', async () => {
    const body = {
      firstName: '字'.repeat(100),
      email: 'ada@example.org',
      company: 'é'.repeat(200),
      message: '🔭\n'.repeat(2_500),
    };
    expect((await desk.submit(body)).status).toBe(202);
    expect(await desk.stored()).toMatchObject([{ first_name: body.firstName, message: body.message }]);
  });

  it('is refused as another type, and when it is too large', async () => {
    expect((await desk.submit('a=b', { origin: ORIGIN, 'content-type': 'text/csv' })).status).toBe(415);
    expect((await desk.submit({ ...REQUEST, message: 'x'.repeat(70_000) })).status).toBe(413);
  });

  it('with the field that people do not see is answered like any other and not kept', async () => {
    const { status, body } = await desk.submit({ ...REQUEST, nickname: 'bot' });
    expect(status).toBe(202);
    expect(Object.keys(body)).toEqual(['message', 'id']);
    expect(await desk.stored()).toEqual([]);
  });
});
