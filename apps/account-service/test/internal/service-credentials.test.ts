import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { RunningAccountService } from '../support/running-account-service.ts';

const OLD = 'o'.repeat(32);
const NEW = 'n'.repeat(32);
const OF_FLEET = 'f'.repeat(32);
const OF_WEBSITE = 'w'.repeat(32);
const CERTIFICATES = join(import.meta.dirname, '../support/internal-tls');

const folder = mkdtempSync(join(tmpdir(), 'internal-tls-'));
let service: RunningAccountService;

/** Overwrites the files of the certificate in use. */
function install(name: 'first' | 'renewed'): void {
  for (const extension of ['key', 'crt']) {
    copyFileSync(join(CERTIFICATES, `${name}.${extension}`), join(folder, `tls.${extension}`));
  }
}

beforeAll(async () => {
  install('first');
  service = await RunningAccountService.start({
    environment: {
      INTERNAL_CREDENTIAL: `${OLD},${NEW},fleet-api:${OF_FLEET},website-api:${OF_WEBSITE}`,
      INTERNAL_TLS_CERT_FILE: join(folder, 'tls.crt'),
      INTERNAL_TLS_KEY_FILE: join(folder, 'tls.key'),
    },
  });
});

afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

/** Sends a request on a new connection. @returns status, and common name of the certificate */
function send(
  path: string,
  credential: string,
  body?: string,
): Promise<[status: number | undefined, certificate: string]> {
  const ca = ['first.crt', 'renewed.crt'].map((name) => readFileSync(join(CERTIFICATES, name)));
  return new Promise((resolve, reject) => {
    const sent = request(
      new URL(path, service.internalUrl),
      {
        method: body === undefined ? 'GET' : 'POST',
        ca,
        agent: false,
        headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      },
      (response) => {
        const { subject } = (response.socket as TLSSocket).getPeerCertificate();
        response.resume().on('end', () => resolve([response.statusCode, String(subject.CN)]));
      },
    );
    sent.on('error', reject).end(body);
  });
}

const FEED = '/internal/v1/revocations';

test.each([
  ['the replaced value', OLD, 200],
  ['the new value', NEW, 200],
  ['the value of fleet-api', OF_FLEET, 200],
  ['the value of website-api', OF_WEBSITE, 403],
  ['an unknown value', 'x'.repeat(32), 401],
  ['the list itself', `${OLD},${NEW}`, 401],
  ['a value with its name', `fleet-api:${OF_FLEET}`, 401],
])('the revocation feed, with %s', async (_name, credential, status) => {
  expect(await send(FEED, credential)).toEqual([status, 'first']);
});

test('rejects the credential of fleet-api for key introspection', async () => {
  const introspect = (credential: string) => send('/internal/v1/keys/introspect', credential, '{"key":"x"}');
  expect((await introspect(OF_FLEET))[0]).toBe(403);
  expect((await introspect(OF_WEBSITE))[0]).toBe(200);
});

test('serves TLS only', async () => {
  await expect(fetch(service.internalUrl.replace('https:', 'http:') + FEED)).rejects.toThrow();
});

test('uses a renewed certificate without a restart', async () => {
  expect(await send(FEED, NEW)).toEqual([200, 'first']);
  install('renewed');
  let certificate = 'first';
  while (certificate === 'first') {
    await new Promise((resolve) => setTimeout(resolve, 100));
    [, certificate] = await send(FEED, NEW).catch(() => [0, 'first'] as const);
  }
  expect(certificate).toBe('renewed');
});
