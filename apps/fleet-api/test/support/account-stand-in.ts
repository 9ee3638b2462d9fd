import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Access, Revocation } from '@gpu-observatory/domain-types';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

export const INTERNAL_CREDENTIAL = 'a credential that only tests of fleet-api know';
const AUDIENCE = 'gpu-observatory';

/** What a token says beside the access; by default it is a valid one. */
export interface TokenClaims {
  userId?: number;
  sessionId?: string;
  issuer?: string;
  audience?: string;
  /** Seconds since the epoch, or a span from now such as `6h`. */
  expires?: number | string;
}

/**
 * The two addresses of account-service that fleet-api calls, its keys and its revocation feed, with tokens signed as it
 * signs them. A service may not start another one in its tests; the real two meet in the local stack's.
 */
export interface AccountStandIn {
  url: string;
  audience: string;
  revocations: Revocation[];
  /** How often its feed was read. */
  feedReadings(): number;
  token(access: Access, more?: TokenClaims): Promise<string>;
  stop(): Promise<void>;
}

export async function startAccountStandIn(): Promise<AccountStandIn> {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'test-key', alg: 'ES256', use: 'sig' };
  const revocations: Revocation[] = [];
  let feedReadings = 0;
  const server: Server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://internal').pathname;
    response.setHeader('content-type', 'application/json');
    if (path === '/.well-known/jwks.json') response.end(JSON.stringify({ keys: [jwk] }));
    else if (
      path === '/internal/v1/revocations' &&
      request.headers.authorization === `Bearer ${INTERNAL_CREDENTIAL}`
    ) {
      feedReadings += 1;
      response.end(JSON.stringify({ as_of: new Date().toISOString(), revocations }));
    } else response.writeHead(401).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    audience: AUDIENCE,
    revocations,
    feedReadings: () => feedReadings,
    token: (
      access,
      { userId = 1, sessionId = 'session-1', issuer = url, audience = AUDIENCE, expires = '6h' } = {},
    ) =>
      new SignJWT({ sid: sessionId, access })
        .setProtectedHeader({ alg: 'ES256', kid: 'test-key', typ: 'at+jwt' })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(String(userId))
        .setJti(crypto.randomUUID())
        .setIssuedAt()
        .setExpirationTime(expires)
        .sign(privateKey),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
