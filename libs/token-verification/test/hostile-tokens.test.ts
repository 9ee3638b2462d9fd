import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { ErrorFilter } from '@gpu-observatory/service-runtime';
import { fleetEnvelope, fleetErrors } from '@gpu-observatory/service-runtime/process';
import {
  type Caller,
  type RemoteSigningKeys,
  remoteSigningKeys,
  Revocations,
  TokenVerifier,
} from '../src/index.ts';
import { BearerGuard, CurrentCaller, PublicRoute } from '../src/bearer-guard.ts';
import { hostileTokens } from './support/hostile-tokens.ts';
import {
  AUDIENCE,
  type CountingServer,
  ecKeys,
  goodClaims,
  goodHeader,
  ISSUER,
  jwkOf,
  mint,
  startCountingServer,
} from './support/issuer.ts';

@Controller()
class MeController {
  @Get('me')
  me(@CurrentCaller() caller: Caller) {
    return { caller };
  }

  @PublicRoute()
  @Get('public')
  open() {
    return { open: true };
  }
}

@Module({ controllers: [MeController] })
class MeModule {}

const ours = ecKeys();
const good = mint(goodHeader(), goodClaims(), ours.privateKey);

let accountService: CountingServer;
let lure: CountingServer;
let keys: RemoteSigningKeys;
let verifier: TokenVerifier;
let application: NestFastifyApplication;
let url: string;

beforeAll(async () => {
  accountService = await startCountingServer({ keys: [jwkOf(ours.publicKey)] });
  lure = await startCountingServer({ keys: [] });
  keys = remoteSigningKeys(`${accountService.url}/.well-known/jwks.json`);
  verifier = new TokenVerifier({
    issuer: ISSUER,
    audience: AUDIENCE,
    keys: keys.keys,
    revocations: new Revocations(),
  });
  application = await NestFactory.create<NestFastifyApplication>(
    MeModule,
    new FastifyAdapter({ http: { maxHeaderSize: 65_536 } }),
    { logger: false },
  );
  application.useGlobalGuards(new BearerGuard(verifier, fleetErrors.unauthorized));
  application.useGlobalFilters(new ErrorFilter(fleetEnvelope));
  await application.listen(0, '127.0.0.1');
  url = await application.getUrl();
  expect(await verifier.verify(good)).not.toBeNull(); // the keys are known from here on
  accountService.requests.length = 0;
});
afterAll(async () => {
  await application.close();
  await Promise.all([accountService.close(), lure.close()]);
});

const kinds = hostileTokens(ours, 'http://127.0.0.1:1');

test('the kinds of hostile tokens have distinct names', () => {
  expect(new Set(kinds.map(([name]) => name)).size).toBe(kinds.length);
  expect(kinds.length).toBeGreaterThanOrEqual(40);
});

test('accepts the token that all others derive from', async () => {
  expect(await verifier.verify(good)).toEqual({
    userId: 7,
    sessionId: 'session-1',
    access: [{ customer_id: 3, workspace_ids: [1, 2] }],
    issuedAt: expect.any(Number) as number,
    expiresAt: expect.any(Number) as number,
    signingKeyId: 'key-1',
  });
});

test.each(kinds)('the verifier rejects without a request: %s', async (_name, token) => {
  const fetches = jest.spyOn(globalThis, 'fetch');
  try {
    expect(await verifier.verify(token)).toBeNull();
    expect(await verifier.verify(token)).toBeNull();
    expect(fetches).not.toHaveBeenCalled();
  } finally {
    fetches.mockRestore();
  }
});

describe('over HTTP', () => {
  const ask = async (authorization: string | undefined, path = '/me') => {
    const response = await application.inject({
      url: path,
      headers: authorization === undefined ? {} : { authorization },
    });
    return {
      status: response.statusCode,
      body: response.json<Record<string, string>>(),
      headers: response.headers,
    };
  };

  test('each hostile token gets a 401, without any request', async () => {
    const accepted: string[] = [];
    for (const [name, token] of hostileTokens(ours, lure.url)) {
      // HTTP clients cannot send these in a header.
      if (/[^\x20-\x7e]/.test(token) || token.length > 60_000) continue;
      // Whitespace around a header value is not part of it (RFC 9110, section 5.5).
      if (name === 'a blank after') continue;
      const response = await fetch(`${url}/me`, { headers: { authorization: `Bearer ${token}` } });
      const body = (await response.json()) as Record<string, string>;
      if (response.status !== 401) accepted.push(name);
      expect(body['error']).toBe('unauthorized');
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer realm="gpu-observatory"/);
    }
    expect(accepted).toEqual([]);
    expect(lure.requests).toEqual([]);
    expect(accountService.requests).toEqual([]);
  });

  test.each<[string, string | undefined]>([
    ['none at all', undefined],
    ['an empty one', ''],
    ['only the scheme', 'Bearer'],
    ['no token', 'Bearer '],
    ['Basic', `Basic ${Buffer.from('ada:secret').toString('base64')}`],
    ['Basic with the token', `Basic ${good}`],
    ['DPoP', `DPoP ${good}`],
    ['no scheme', good],
    ['another separator', `Bearer:${good}`],
    ['a tab', `Bearer\t${good}`],
    ['two blanks', `Bearer  ${good}`],
    ['two tokens', `Bearer ${good} ${good}`],
    ['a list', `Bearer ${good}, Bearer ${good}`],
    ['quotes', `Bearer "${good}"`],
    ['a parameter', `Bearer token=${good}; x`],
  ])('rejects a header with %s', async (_name, authorization) => {
    const { status, body, headers } = await ask(authorization);
    expect([status, body['error']]).toEqual([401, 'unauthorized']);
    expect(headers['www-authenticate']).toBe('Bearer realm="gpu-observatory"');
    expect(body['message']).toBe('Send the access token as "Authorization: Bearer <ACCESS_TOKEN>".');
  });

  test('rejects a second header, even with the same token', async () => {
    for (const headers of [
      [`Bearer ${good}`, `Bearer ${good}`],
      [`Bearer ${good}`, 'Basic YTpi'],
    ]) {
      const response = await rawHeaders(headers);
      expect(response).toMatch(/^HTTP\/1.1 401 /);
    }
  });

  test.each(['/me?access_token=', '/me?token='])('ignores a token in the query string: %s', async (path) => {
    expect((await ask(undefined, path + good)).status).toBe(401);
  });

  test.each(['Bearer', 'bearer', 'BEARER'])('accepts the scheme in any case: %s', async (scheme) => {
    expect(await ask(`${scheme} ${good}`)).toMatchObject({ status: 200, body: { caller: { userId: 7 } } });
  });

  test('requires no token on a public route', async () => {
    expect(await ask(undefined, '/public')).toMatchObject({ status: 200, body: { open: true } });
    expect(await ask('Bearer nonsense', '/public')).toMatchObject({ status: 200 });
  });

  test('reports an invalid token in the challenge', async () => {
    const { headers } = await ask('Bearer nonsense');
    expect(headers['www-authenticate']).toBe('Bearer realm="gpu-observatory", error="invalid_token"');
  });
});

async function rawHeaders(authorizations: string[]): Promise<string> {
  const { connect } = await import('node:net');
  const lines = authorizations.map((value) => `Authorization: ${value}\r\n`).join('');
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () =>
      socket.write(`GET /me HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${lines}\r\n`),
    );
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    socket.on('end', () => resolve(text)).on('error', reject);
  });
}
