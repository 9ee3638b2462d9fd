import { ServiceWithKeys } from '../support/service-with-keys.ts';
import { FRONTEND_URL } from '../support/running-account-service.ts';

/** Names that objects and functions of JavaScript have by themselves. */
const NAMES = ['toString', 'hasOwnProperty', 'constructor', 'valueOf', '__defineGetter__', 'prototype'];

let place: ServiceWithKeys;

beforeAll(async () => {
  place = await ServiceWithKeys.start();
});

afterAll(() => place.stop());

const unknown = (name: string) => ({
  title: 'Invalid Request',
  detail: `${name} is not known here; leave it out.`,
});

describe.each(NAMES)('the field %s is as unknown as any other', (name) => {
  test.each<[string, () => Promise<object>]>([
    ['keys/', () => Promise.resolve({ name: 'a', workspace_id: 1 })],
    [
      'auth/token',
      async () => ({
        code: await place.service.signInForCode('ada@acme.example'),
        redirect_uri: FRONTEND_URL,
      }),
    ],
    ['auth/refresh', () => Promise.resolve({ refresh_token: 'x' })],
    ['auth/logout', () => Promise.resolve({})],
  ])('in the body of %s', async (path, right) => {
    const answer = await place.service.post(
      `/api/v1/${path}`,
      { ...(await right()), [name]: 1 },
      path === 'keys/' ? { authorization: `Bearer ${place.ada}` } : {},
    );
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual(unknown(name));
  });

  test('beside another fault', async () => {
    const answer = await place.send('POST', '', place.ada, { name: 7, workspace_id: 0, [name]: null });
    expect(answer.status).toBe(400);
    const { detail } = (await answer.json()) as { detail: string };
    expect(detail).toContain(unknown(name).detail);
    expect(detail).toContain('workspace_id must be 1 or more.');
  });
});

test.each([...NAMES, '__proto__'])('the parameter %s is as unknown as any other', async (name) => {
  const answer = await place.service.get(`/api/v1/auth/github?frontend_url=${FRONTEND_URL}&${name}=1`);
  expect(answer.status).toBe(400);
  expect(await answer.json()).toEqual(unknown(name));
});

test('a body never sets a prototype', async () => {
  const answer = await fetch(`${place.service.url}/api/v1/keys/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${place.ada}`, 'content-type': 'application/json' },
    body: '{"name":"a","workspace_id":1,"__proto__":{"description":"b"}}',
  });
  expect(answer.status).toBe(400);
});
