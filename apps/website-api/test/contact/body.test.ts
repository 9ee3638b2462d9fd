import { REQUEST, useContactFixture } from '../support/contact-fixture.ts';

const fixture = useContactFixture();

describe('contact request body', () => {
  it.each([
    ['no name', { ...REQUEST, firstName: undefined }, '"firstName" must be'],
    ['an empty name', { ...REQUEST, firstName: '' }, '"firstName" must be'],
    ['a blank name', { ...REQUEST, firstName: '  ' }, '"firstName" must be one line and not blank'],
    [
      'a name of two lines',
      { ...REQUEST, firstName: 'Ada\r\nBcc: all@example.org' },
      '"firstName" must be one line',
    ],
    ['a long name', { ...REQUEST, firstName: 'x'.repeat(101) }, '"firstName" must be a text of 1 to 100'],
    ['a number as the name', { ...REQUEST, firstName: 7 }, '"firstName" must be'],
    ['a list of names', { ...REQUEST, firstName: ['Ada'] }, '"firstName" must be'],
    ['no email address', { ...REQUEST, email: undefined }, '"email" must be an email address'],
    ['an incomplete email address', { ...REQUEST, email: 'ada@' }, '"email" must be an email address'],
    ['two email addresses', { ...REQUEST, email: 'a@example.org, b@example.org' }, '"email" must be'],
    [
      'an email address with a line break',
      { ...REQUEST, email: 'a@example.org\nBcc: b@example.org' },
      '"email" must be',
    ],
    ['a long company', { ...REQUEST, company: 'x'.repeat(201) }, '"company" must be a text of at most 200'],
    ['null for a company', { ...REQUEST, company: null }, '"company" must be'],
    ['a company of two lines', { ...REQUEST, company: 'a\nb' }, '"company" must be one line'],
    ['no message', { ...REQUEST, message: undefined }, '"message" must be'],
    ['a blank message', { ...REQUEST, message: ' \n ' }, '"message" must not be blank'],
    ['a long message', { ...REQUEST, message: 'x'.repeat(5_001) }, '"message" must be a text of 1 to 5000'],
    ['a NUL', { ...REQUEST, message: 'a\0b' }, 'NUL'],
    ['a lone surrogate', `{"firstName":"a","email":"a@example.org","message":"\\ud800"}`, 'surrogate'],
    ['an unknown member', { ...REQUEST, lastName: 'L' }, '"lastName" is not accepted.'],
    ['the member toString', { ...REQUEST, toString: 'x' }, '"toString" is not accepted.'],
    ['the member constructor', { ...REQUEST, constructor: 'x' }, '"constructor" is not accepted.'],
    ['the member __proto__', `{"__proto__":{},"firstName":"a","email":"a@example.org","message":"m"}`, ''],
    ['a list', [REQUEST], 'Send a JSON object'],
    ['a text', '"hello"', 'Send a JSON object'],
    ['no body', '', 'Send a JSON object'],
    ['invalid JSON', '{', ''],
  ])('rejects a body with %s', async (_what, body, detail) => {
    const response = await fixture.submit(body);
    expect(response.status).toBe(400);
    expect(response.body.detail).toContain(detail);
    expect(await fixture.stored()).toEqual([]);
  });

  it('names each field once', async () => {
    expect((await fixture.submit({})).body.detail).toBe(
      '"firstName" must be a text of 1 to 100 characters. "email" must be an email address such as name@example.com. "message" must be a text of 1 to 5000 characters.',
    );
  });

  it('accepts the maximum lengths in any script', async () => {
    const body = {
      firstName: '字'.repeat(100),
      email: 'ada@example.org',
      company: 'é'.repeat(200),
      message: '🔭\n'.repeat(2_500),
    };
    expect((await fixture.submit(body)).status).toBe(202);
    expect(await fixture.stored()).toMatchObject([{ first_name: body.firstName, message: body.message }]);
  });

  it('accepts but does not store a request with the hidden field', async () => {
    const { status, body } = await fixture.submit({ ...REQUEST, nickname: 'bot' });
    expect(status).toBe(202);
    expect(Object.keys(body)).toEqual(['message', 'id']);
    expect(await fixture.stored()).toEqual([]);
  });
});
