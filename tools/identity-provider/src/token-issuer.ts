import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Access, HOUR_MS, SECOND_MS } from '@gpu-observatory/domain-types';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

/** Replaces account-service for fleet-api: serves signing keys and an empty revocation feed, and issues access tokens. */
export type TokenIssuer = Awaited<ReturnType<typeof startTokenIssuer>>;

const KEY_ID = 'token-issuer';
/** The longest that services accept. */
const LIFETIME_SECONDS = (6 * HOUR_MS) / SECOND_MS;

export async function startTokenIssuer() {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(publicKey)), kid: KEY_ID, alg: 'ES256', use: 'sig' };
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    const isKeys = request.url?.startsWith('/.well-known/jwks.json') ?? false;
    response.end(
      JSON.stringify(isKeys ? { keys: [jwk] } : { as_of: new Date().toISOString(), revocations: [] }),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const token = (access: Access) => {
    const issuedAt = Math.floor(Date.now() / SECOND_MS);
    return new SignJWT({ sid: KEY_ID, access })
      .setProtectedHeader({ alg: 'ES256', kid: KEY_ID, typ: 'at+jwt' })
      .setIssuer(url)
      .setAudience('gpu-observatory')
      .setSubject('1')
      .setJti(crypto.randomUUID())
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + LIFETIME_SECONDS)
      .sign(privateKey);
  };
  return {
    url,
    internalCredential: randomBytes(32).toString('hex'),
    token,
    headers: async (access: Access) => ({ authorization: `Bearer ${await token(access)}` }),
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
