import { signInWithoutBrowser } from '@gpu-observatory/identity-provider';
import { FRONTEND_URL } from '../../deployment/deployment.ts';
import type { FrozenResponse } from '../exchange.ts';
import type { Scenario } from '../recorder.ts';

const API = '/api/v1';
const JSON_HEADERS = { accept: 'application/json', 'content-type': 'application/json' };

/** Signs users in, and uses sessions and API keys: every request depends on the state that those before it left. */
export const accountScenario: Scenario = async (deployment, recorder) => {
  const send = (
    label: string,
    method: string,
    path: string,
    { headers = {}, body }: { headers?: Record<string, string>; body?: unknown } = {},
  ): Promise<FrozenResponse> =>
    recorder.send(`${method} ${label}`, 'account-service', {
      method,
      target:
        path.startsWith('/.') || path.startsWith('/docs') || path.startsWith('/openapi')
          ? path
          : `${API}${path}`,
      headers: { ...(body === undefined ? { accept: 'application/json' } : JSON_HEADERS), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  const read = async (path: string, headers: Record<string, string> = {}, label = path) =>
    send(label, 'GET', path, { headers });

  for (const path of [
    '/.well-known/jwks.json',
    '/auth/methods',
    '/auth/methods/',
    '/unknown',
    '/openapi.json',
    '/docs',
  ])
    for (const method of ['GET', 'HEAD', 'POST']) await send(path, method, path);

  const frontendUrls = [
    '',
    ...['?frontend_url=', `?frontend_url=${FRONTEND_URL}`, `?frontend_url=${FRONTEND_URL}/`],
    ...[
      `${FRONTEND_URL}.evil.example`,
      `${FRONTEND_URL}@evil.example`,
      'http://console.example',
      'javascript:alert(1)',
    ].map((url) => `?frontend_url=${encodeURIComponent(url)}`),
    `?frontend_url=${FRONTEND_URL}&frontend_url=${FRONTEND_URL}`,
    `?frontend_url=${FRONTEND_URL}&x=1`,
    `?frontend_url=${FRONTEND_URL}&code_challenge=short`,
    `?frontend_url=${FRONTEND_URL}&code_challenge=${'a'.repeat(43)}&code_challenge_method=S256`,
    `?frontend_url=${FRONTEND_URL}&code_challenge=${'a'.repeat(43)}&code_challenge_method=plain`,
  ];
  for (const provider of ['github', 'google', 'oidc', 'unknown']) {
    for (const query of frontendUrls) await read(`/auth/${provider}${query}`);
    await read(
      `/auth/${provider}?frontend_url=${FRONTEND_URL}`,
      { accept: 'text/html' },
      `/auth/${provider} for a browser`,
    );
    for (const query of ['', '?code=x', '?state=x', '?code=x&state=y', '?error=access_denied&state=x'])
      for (const accept of ['application/json', 'text/html'])
        await read(
          `/auth/${provider}/callback${query}`,
          { accept },
          `/auth/${provider}/callback${query} ${accept}`,
        );
  }

  const codeOf = async (email: string, provider: string) => {
    const callback = await signInWithoutBrowser(
      `${deployment.urls['account-service']}${API}/auth/${provider}?${new URLSearchParams({ frontend_url: FRONTEND_URL })}`,
      email,
    );
    return callback.searchParams.get('code') ?? callback.searchParams.get('error') ?? '';
  };
  const redirect = { redirect_uri: FRONTEND_URL };
  const sessions: Record<string, { access_token: string; refresh_token: string }> = {};
  for (const [name, email, provider] of [
    ['ada', 'ada@acme.example', 'github'],
    ['alan', 'alan@acme.example', 'google'],
    ['vera', 'vera@acme.example', 'github'],
    ['grace', 'grace@globex.example', 'google'],
  ] as const) {
    const { body } = await send(`/auth/token of ${name}`, 'POST', '/auth/token', {
      body: { code: await codeOf(email, provider), ...redirect },
    });
    sessions[name] = JSON.parse(body) as (typeof sessions)[string];
  }
  const bearer = (name: string) => ({ authorization: `Bearer ${sessions[name]!.access_token}` });

  const exchangeCode = async (
    label: string,
    change: (code: string) => unknown,
    headers: Record<string, string> = {},
  ) => {
    const code = await codeOf('ada@acme.example', 'github');
    await send(`/auth/token ${label}`, 'POST', '/auth/token', { headers, body: change(code) });
    await send(`/auth/token after ${label}`, 'POST', '/auth/token', { body: { code, ...redirect } });
  };
  await exchangeCode('twice', (code) => ({ code, ...redirect }));
  await exchangeCode('with another redirect_uri', (code) => ({ code, redirect_uri: `${FRONTEND_URL}/x` }));
  await exchangeCode('without redirect_uri', (code) => ({ code }));
  await exchangeCode('with an unknown field', (code) => ({ code, ...redirect, extra: 1 }));
  await exchangeCode('with truncated JSON', (code) => `{"code":"${code}","redirect_uri":`);
  await exchangeCode('as text', (code) => JSON.stringify({ code, ...redirect }), {
    'content-type': 'text/plain',
  });
  await exchangeCode('with cookies', (code) => ({ code, ...redirect }), {
    accept: '*/*',
    origin: FRONTEND_URL,
  });
  await exchangeCode('with cookies of another origin', (code) => ({ code, ...redirect }), {
    accept: '*/*',
    origin: 'https://evil.example',
  });
  for (const body of [
    {},
    { code: 'x', ...redirect },
    { code: '', ...redirect },
    { code: 1, ...redirect },
    [],
    'x',
    '',
  ])
    await send(`/auth/token ${JSON.stringify(body)}`, 'POST', '/auth/token', { body });

  await send('/auth/refresh', 'POST', '/auth/refresh', {
    body: { refresh_token: sessions['ada']!.refresh_token },
  });
  for (const body of [
    { refresh_token: 'x' },
    { refresh_token: 1 },
    {},
    { refresh_token: 'x', extra: 1 },
    '{',
  ])
    await send(`/auth/refresh ${JSON.stringify(body)}`, 'POST', '/auth/refresh', { body });
  await send('/auth/refresh without a cookie', 'POST', '/auth/refresh', {
    headers: { accept: '*/*', origin: FRONTEND_URL },
  });
  await send('/auth/password', 'POST', '/auth/password', {
    body: { email: 'ada@acme.example', password: 'secret', frontend_url: FRONTEND_URL },
  });

  for (const path of [
    '/me',
    '/workspaces',
    '/workspaces/',
    '/keys',
    '/keys/',
    '/sessions',
    '/me?x=1',
    '/keys?x=1',
  ]) {
    for (const name of ['ada', 'alan', 'vera', 'grace'])
      // Ada's sessions begin at the same time, so that their order is random.
      if (path !== '/sessions' || name !== 'ada') await read(path, bearer(name), `${path} as ${name}`);
    await read(path, {}, `${path} without a token`);
    await read(path, { authorization: 'Bearer x' }, `${path} with an invalid token`);
    await send(`${path} of another origin`, 'OPTIONS', path, {
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'GET' },
    });
    await send(`${path} of the console`, 'OPTIONS', path, {
      headers: { origin: FRONTEND_URL, 'access-control-request-method': 'POST' },
    });
  }

  const workspaces = (
    JSON.parse((await read('/workspaces', bearer('ada'), '/workspaces of ada')).body) as {
      workspaces: { id: number; name: string }[];
    }
  ).workspaces;
  const research = workspaces.find(({ name }) => name === 'Research')!.id;
  const foreign = 999;
  const keyBodies: Record<string, unknown> = {
    minimal: { name: 'Agent', workspace_id: research },
    complete: {
      name: 'Agent 2',
      description: 'On node 1',
      workspace_id: research,
      expires_at: '2027-01-01T00:00:00Z',
    },
    'without name': { workspace_id: research },
    'without workspace': { name: 'Agent' },
    'blank name': { name: '  ', workspace_id: research },
    'long name': { name: 'a'.repeat(101), workspace_id: research },
    'long description': { name: 'a', description: 'a'.repeat(1_001), workspace_id: research },
    'past expiry': { name: 'a', workspace_id: research, expires_at: '2020-01-01T00:00:00Z' },
    'malformed expiry': { name: 'a', workspace_id: research, expires_at: 'tomorrow' },
    'foreign workspace': { name: 'a', workspace_id: foreign },
    'workspace as text': { name: 'a', workspace_id: String(research) },
    'unknown field': { name: 'a', workspace_id: research, scopes: [] },
    array: [],
    malformed: '{',
  };
  for (const name of ['ada', 'alan', 'vera', 'grace'])
    for (const [label, body] of Object.entries(keyBodies))
      await send(`/keys ${label} as ${name}`, 'POST', '/keys/', { headers: bearer(name), body });
  await send('/keys without a token', 'POST', '/keys/', { body: keyBodies['minimal'] });
  for (const name of ['ada', 'vera', 'grace'])
    for (const id of ['1', '999', '0', '-1', 'x', '99999999999']) {
      await send(`/keys/${id}/rotate as ${name}`, 'POST', `/keys/${id}/rotate`, { headers: bearer(name) });
      await read(`/keys/${id}`, bearer(name), `/keys/${id} as ${name}`);
    }
  for (const [name, id] of [
    ['vera', '2'],
    ['grace', '2'],
    ['ada', '2'],
    ['ada', '2'],
    ['ada', 'x'],
  ] as const)
    await send(`/keys/${id} as ${name}`, 'DELETE', `/keys/${id}`, { headers: bearer(name) });
  for (const name of ['ada', 'vera', 'grace'])
    await read('/keys/', bearer(name), `/keys/ as ${name} at the end`);

  const { next_page_token: token } = JSON.parse(
    (await read('/keys?page_size=1', bearer('ada'), '/keys?page_size=1 as ada')).body,
  ) as { next_page_token?: string };
  await read(`/keys?page_size=1&page_token=${token}`, bearer('ada'), '/keys page 2 as ada');
  for (const query of ['page_size=0', 'page_size=x', 'page_token=x', 'page_size=1&page_size=2'])
    await read(`/keys?${query}`, bearer('ada'), `/keys?${query} as ada`);

  await send('/auth/logout without a token', 'POST', '/auth/logout');
  await send('/auth/logout of vera', 'POST', '/auth/logout', { headers: bearer('vera') });
  await send('/auth/logout of vera, repeated', 'POST', '/auth/logout', { headers: bearer('vera') });
};
