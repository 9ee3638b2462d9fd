import 'reflect-metadata';
import { Controller, Delete, Get, HttpCode, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { ErrorFilter } from '@gpu-observatory/service-runtime';
import { accountEnvelope, accountErrors } from '@gpu-observatory/service-runtime/process';
import { createLocalJWKSet } from 'jose';
import { accessCookieName, cookieValues, Revocations, TokenVerifier } from '../src/index.ts';
import { BearerGuard } from '../src/bearer-guard.ts';
import { AUDIENCE, ecKeys, goodClaims, goodHeader, ISSUER, jwkOf, mint } from './support/issuer.ts';

@Controller('things')
class ThingsController {
  @Get()
  read() {
    return { read: true };
  }

  @Post()
  @HttpCode(200)
  write() {
    return { written: true };
  }

  @Delete()
  remove() {
    return { removed: true };
  }
}

@Module({ controllers: [ThingsController] })
class ThingsModule {}

const APP = 'https://app.example';
const NAME = accessCookieName(undefined);
const ours = ecKeys();
const good = mint(goodHeader(), goodClaims(), ours.privateKey);
const verifier = new TokenVerifier({
  issuer: ISSUER,
  audience: AUDIENCE,
  keys: createLocalJWKSet({ keys: [jwkOf(ours.publicKey)] }),
  revocations: new Revocations(),
});

let application: NestFastifyApplication;
let url: string;

beforeAll(async () => {
  application = await NestFactory.create<NestFastifyApplication>(ThingsModule, new FastifyAdapter(), {
    logger: false,
  });
  const cookie = { name: NAME, allowedOrigins: [APP], forbidden: accountErrors.forbidden };
  application.useGlobalGuards(new BearerGuard(verifier, accountErrors.unauthorized, cookie));
  application.useGlobalFilters(new ErrorFilter(accountEnvelope));
  await application.listen(0, '127.0.0.1');
  url = await application.getUrl();
});

afterAll(() => application.close());

const send = (method: string, headers: Record<string, string>) => fetch(`${url}/things`, { method, headers });

test('the name has __Host- for a single host and __Secure- for a shared domain', () => {
  expect([accessCookieName(undefined), accessCookieName('example.com')]).toEqual([
    '__Host-access',
    '__Secure-access',
  ]);
});

test.each([`${NAME}=${good}`, `a=1; ${NAME}=${good}; b=2`, `${NAME}x=1;${NAME}=${good}`])(
  'accepts the cookie without a header: %.30s',
  async (cookie) => {
    expect((await send('GET', { cookie })).status).toBe(200);
  },
);

test.each<[string, Record<string, string>]>([
  ['no token cookie', { cookie: 'other=1' }],
  ['it is empty', { cookie: `${NAME}=` }],
  ['it is no token', { cookie: `${NAME}=x` }],
  [
    'a token cookie of another name',
    { cookie: `__Secure-access=${good}; access=${good}; ${NAME.toLowerCase()}x=${good}` },
  ],
  ['a repeated token cookie', { cookie: `${NAME}=${good}; ${NAME}=${good}` }],
  ['a repeated token cookie, once malformed', { cookie: `${NAME}=x; ${NAME}=${good}` }],
  ['an Authorization header without a token', { cookie: `${NAME}=${good}`, authorization: 'Bearer x' }],
  ['an Authorization header of another scheme', { cookie: `${NAME}=${good}`, authorization: 'Basic eDp5' }],
  ['an empty Authorization header', { cookie: `${NAME}=${good}`, authorization: '' }],
])('rejects a request: %s', async (_, headers) => {
  const response = await send('GET', headers);
  expect(response.status).toBe(401);
  expect(response.headers.get('www-authenticate')).toMatch(/^Bearer realm=/);
});

test.each(['\u00a0', '\u0085', '\u000b', '\ufeff', '\u2000'])(
  'ignores a cookie with %j around its name, which any sibling host can set',
  (blank) => {
    // Node decodes headers as latin1: one character per byte.
    const planted = Buffer.from(`${blank}${NAME}`).toString('latin1');
    for (const name of [`${blank}${NAME}`, `${NAME}${blank}`, planted]) {
      expect(cookieValues({ headers: { cookie: `${name}=planted; ${NAME}=own` } }, NAME)).toEqual(['own']);
    }
    expect(cookieValues({ headers: { cookie: ` \t${NAME}\t = own ;` } }, NAME)).toEqual(['own']);
  },
);

test('the header takes precedence over the cookie', async () => {
  const headers = { cookie: `${NAME}=x`, authorization: `Bearer ${good}` };
  expect((await send('GET', headers)).status).toBe(200);
  expect((await send('POST', headers)).status).toBe(200);
});

test.each(['POST', 'DELETE'])('a %s with the cookie needs an allowed origin', async (method) => {
  const cookie = `${NAME}=${good}`;
  expect((await send(method, { cookie, origin: APP })).status).toBe(200);
  for (const origin of [
    undefined,
    'null',
    'https://evil.example',
    `${APP}.evil.example`,
    `${APP}:444`,
    'http://app.example',
  ]) {
    const response = await send(method, { cookie, ...(origin !== undefined && { origin }) });
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({
      title: 'Forbidden',
      detail: expect.stringMatching(
        /^A write with the session cookie must come from a page of an allowed origin/,
      ),
    });
  }
});

test('a read with the cookie needs no allowed origin', async () => {
  expect((await send('GET', { cookie: `${NAME}=${good}`, origin: 'https://evil.example' })).status).toBe(200);
});
