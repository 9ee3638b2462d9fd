import { ServiceWithKeys } from '../support/service-with-keys.ts';
import { FRONTEND_URL } from '../support/running-account-service.ts';

/** Properties that JavaScript objects and functions inherit. */
const NAMES = ['toString', 'hasOwnProperty', 'constructor', 'valueOf', '__defineGetter__', 'prototype'];

let fixture: ServiceWithKeys;

beforeAll(async () => {
  fixture = await ServiceWithKeys.start();
});

afterAll(() => fixture.stop());

const unknown = (name: string) => ({
  title: 'Invalid Request',
  detail: `${name} is unknown; remove it.`,
});

describe.each(NAMES)('rejects the unknown field %s', (name) => {
  test.each<[string, () => Promise<object>]>([
    ['keys/', () => Promise.resolve({ name: 'a', workspace_id: 1 })],
    [
      'auth/token',
      async () => ({
        code: await fixture.service.signInForCode('ada@acme.example'),
        redirect_uri: FRONTEND_URL,
      }),
    ],
    ['auth/refresh', () => Promise.resolve({ refresh_token: 'x' })],
    ['auth/logout', () => Promise.resolve({})],
  ])('in the body of %s', async (path, right) => {
    const response = await fixture.service.post(
      `/api/v1/${path}`,
      { ...(await right()), [name]: 1 },
      path === 'keys/' ? { authorization: `Bearer ${fixture.ada}` } : {},
    );
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual(unknown(name));
  });

  test('together with other faults', async () => {
    const response = await fixture.send('POST', '', fixture.ada, { name: 7, workspace_id: 0, [name]: null });
    expect(response.status).toBe(400);
    const { detail } = (await response.json()) as { detail: string };
    expect(detail).toContain(unknown(name).detail);
    expect(detail).toContain('workspace_id must be 1 or more.');
  });
});

test.each([...NAMES, '__proto__'])('rejects the unknown parameter %s', async (name) => {
  const response = await fixture.service.get(`/api/v1/auth/github?frontend_url=${FRONTEND_URL}&${name}=1`);
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual(unknown(name));
});

test('a body cannot set a prototype', async () => {
  const response = await fetch(`${fixture.service.url}/api/v1/keys/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${fixture.ada}`, 'content-type': 'application/json' },
    body: '{"name":"a","workspace_id":1,"__proto__":{"description":"b"}}',
  });
  expect(response.status).toBe(400);
});
