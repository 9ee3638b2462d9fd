import { DAY_MS, SECOND_MS } from '@gpu-observatory/domain-types';
import { readConfig } from '../../src/config/account.config.ts';

const environment = {
  DATABASE_URL: 'postgres://account_service:secret@database:5432/account',
  PUBLIC_URL: 'https://account.example/',
  FRONTEND_URLS: 'https://app.example, http://localhost:3000',
  SIGNING_KEY_SECRET: 'thirty-two-characters-or-more-than-that',
  INTERNAL_CREDENTIAL: 'another-thirty-two-characters-or-more',
  GITHUB_CLIENT_ID: 'id',
  GITHUB_CLIENT_SECRET: 'secret',
};

test('reads the settings of a deployment with one provider and defaults to the public endpoints', () => {
  const config = readConfig(environment);
  expect(config.tokens).toEqual({
    issuer: 'https://account.example',
    audience: 'gpu-observatory',
    signingKeySecrets: [environment.SIGNING_KEY_SECRET],
    signingKeyMaxAgeSeconds: (30 * DAY_MS) / SECOND_MS,
  });
  expect(config.frontends).toEqual({
    urls: ['https://app.example', 'http://localhost:3000'],
    cookieDomain: undefined,
  });
  expect(config.providers).toEqual({
    github: {
      clientID: 'id',
      clientSecret: 'secret',
      authorizationURL: 'https://github.com/login/oauth/authorize',
      tokenURL: 'https://github.com/login/oauth/access_token',
      userProfileURL: 'https://api.github.com/user',
      userEmailURL: 'https://api.github.com/user/emails',
    },
  });
  expect(config.rateLimits).toBe(true);
});

test('reads several credentials, each for all services or for one', () => {
  const [old, own] = ['o'.repeat(32), 'f'.repeat(32)];
  const INTERNAL_CREDENTIAL = `${old}, fleet-api:${own}`;
  expect(readConfig({ ...environment, INTERNAL_CREDENTIAL }).internal.credentials).toEqual([
    { secret: old, routes: 'all' },
    { secret: own, routes: ['revocations'] },
  ]);
});

const oidc = {
  OIDC_ISSUER: 'https://id.example',
  OIDC_CLIENT_ID: 'id',
  OIDC_CLIENT_SECRET: 'secret',
  OIDC_DOMAINS: 'acme.example',
};

test('reads the domains of an OpenID Connect issuer in IDNA ASCII form', () => {
  const OIDC_DOMAINS = 'Acme.example, bücher.example';
  const { providers } = readConfig({
    ...environment,
    ...oidc,
    OIDC_DOMAINS,
    OIDC_TRUSTED_DOMAINS: 'ACME.example',
  });
  expect(providers.oidc).toMatchObject({
    domains: ['acme.example', 'xn--bcher-kva.example'],
    trustedDomains: ['acme.example'],
    prompt: 'select_account',
  });
});

test.each<[string, Record<string, string>, RegExp]>([
  [
    'an incomplete OpenID Connect client',
    { OIDC_ISSUER: 'https://id.example' },
    /^OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set together/,
  ],
  [
    'an OpenID Connect issuer without TLS',
    { OIDC_ISSUER: 'http://id.example', OIDC_CLIENT_ID: 'id', OIDC_CLIENT_SECRET: 'secret' },
    /^OIDC_ISSUER is not valid: .*https/,
  ],
  [
    'an OpenID Connect issuer without domains',
    { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'id', OIDC_CLIENT_SECRET: 'secret' },
    /^OIDC_DOMAINS is missing: it should be email domains, .*can sign in as any user of these domains$/,
  ],
  [
    'an OpenID Connect domain that is a URL',
    { ...oidc, OIDC_DOMAINS: 'acme.example,https://globex.example' },
    /^OIDC_DOMAINS is not valid/,
  ],
  [
    'a trusted domain without access',
    { ...oidc, OIDC_TRUSTED_DOMAINS: 'globex.example' },
    /^OIDC_TRUSTED_DOMAINS is not valid: it should be those of OIDC_DOMAINS/,
  ],
  [
    'a short credential next to another one',
    { INTERNAL_CREDENTIAL: `${environment.INTERNAL_CREDENTIAL},short` },
    /^INTERNAL_CREDENTIAL is not valid: .*32 random characters/,
  ],
  [
    'a credential of an unknown service',
    { INTERNAL_CREDENTIAL: `console:${environment.INTERNAL_CREDENTIAL}` },
    /^INTERNAL_CREDENTIAL is not valid/,
  ],
  [
    'a certificate without a key',
    { INTERNAL_TLS_CERT_FILE: '/tls.crt' },
    /^INTERNAL_TLS_CERT_FILE and INTERNAL_TLS_KEY_FILE must be set together/,
  ],
  [
    'an endpoint without TLS',
    { GITHUB_TOKEN_URL: 'http://github.example/token' },
    /^GITHUB_TOKEN_URL is not valid: .*https.*ALLOW_INSECURE_PROVIDERS=true/,
  ],
  ['an invalid endpoint', { GOOGLE_USERINFO_URL: 'userinfo' }, /^GOOGLE_USERINFO_URL is not valid/],
  [
    'an incomplete client',
    { GOOGLE_CLIENT_ID: 'id' },
    /^GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET must be set together/,
  ],
  [
    'no way to sign in',
    { GITHUB_CLIENT_ID: '', GITHUB_CLIENT_SECRET: '' },
    /^GITHUB_CLIENT_ID, GOOGLE_CLIENT_ID, OIDC_ISSUER or PASSWORD_SIGN_IN=true is missing/,
  ],
  [
    'a short secret',
    { SIGNING_KEY_SECRET: 'short' },
    /^SIGNING_KEY_SECRET is not valid: .*32 random characters/,
  ],
  [
    'a short secret next to the one it replaces',
    { SIGNING_KEY_SECRET: `short,${environment.SIGNING_KEY_SECRET}` },
    /^SIGNING_KEY_SECRET is not valid/,
  ],
  ['no frontend', { FRONTEND_URLS: '' }, /^FRONTEND_URLS is missing/],
  [
    'a frontend with a trailing slash',
    { FRONTEND_URLS: 'https://app.example/' },
    /^FRONTEND_URLS is not valid/,
  ],
  ['a frontend with a query', { FRONTEND_URLS: 'https://app.example?x=1' }, /^FRONTEND_URLS is not valid/],
  ['a frontend pattern', { FRONTEND_URLS: 'https://*.example' }, /^FRONTEND_URLS is not valid/],
  ['a frontend with credentials', { FRONTEND_URLS: 'https://x@app.example' }, /^FRONTEND_URLS is not valid/],
  ['a frontend of another scheme', { FRONTEND_URLS: 'javascript:alert(1)' }, /^FRONTEND_URLS is not valid/],
  ['a cookie domain that is a URL', { COOKIE_DOMAIN: 'https://example.com' }, /^COOKIE_DOMAIN is not valid/],
])('rejects %s, naming the variable but not its value', (_, change, message) => {
  expect(() => readConfig({ ...environment, ...change })).toThrow(message);
});

test('needs no provider with password sign-in', () => {
  const config = readConfig({
    ...environment,
    GITHUB_CLIENT_ID: '',
    GITHUB_CLIENT_SECRET: '',
    PASSWORD_SIGN_IN: 'true',
  });
  expect(config).toMatchObject({ providers: {}, passwordSignIn: true });
});

test('accepts two signing key secrets', () => {
  const [former, next] = [environment.SIGNING_KEY_SECRET, 'another-thirty-two-characters-or-longer'];
  const { tokens } = readConfig({ ...environment, SIGNING_KEY_SECRET: `${next}, ${former}` });
  expect(tokens.signingKeySecrets).toEqual([next, former]);
});

test('accepts endpoints without TLS with ALLOW_INSECURE_PROVIDERS', () => {
  const config = readConfig({
    ...environment,
    GITHUB_TOKEN_URL: 'http://localhost:3004/token',
    ALLOW_INSECURE_PROVIDERS: 'true',
  });
  expect(config.providers.github?.tokenURL).toBe('http://localhost:3004/token');
});
