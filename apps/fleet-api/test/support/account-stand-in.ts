import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ServiceContract } from '@gpu-observatory/contracts';
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
 * signs them: as agreed with account-service, whose tests hold it to the same contracts. A service may not start another
 * one in its tests; the real two meet in the local stack's.
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
  const keys = new ServiceContract('signing-keys');
  const feed = new ServiceContract('revocation-feed');
  const answerTo = ({ method, url, headers }: IncomingMessage) => {
    const sent = { method, url, headers };
    if (keys.requestViolations(sent).length === 0)
      return keys.stubResponse('the public keys', { keys: [jwk] });
    if (feed.requestViolations(sent).length > 0) return { status: 404, body: '' };
    if (headers.authorization !== `Bearer ${INTERNAL_CREDENTIAL}`)
      return feed.stubResponse('a wrong credential');
    feedReadings += 1;
    return feed.stubResponse('the revocations', { as_of: new Date().toISOString(), revocations });
  };
  const server: Server = createServer((request, response) => {
    const { status, body } = answerTo(request);
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
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
