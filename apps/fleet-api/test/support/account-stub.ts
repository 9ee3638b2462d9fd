import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ServiceContract } from '@gpu-observatory/contracts';
import { type Access, type Revocation, SECOND_MS } from '@gpu-observatory/domain-types';
import {
  FLEET_READ_SCOPE,
  KEY_TOKEN_LIFETIME_SECONDS,
  keyAudienceOf,
  MAX_TOKEN_LIFETIME_SECONDS,
  subjectOfKey,
} from '@gpu-observatory/token-verification';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

export const INTERNAL_CREDENTIAL = 'a credential that only tests of fleet-api know';
const AUDIENCE = 'gpu-observatory';

/** Claims of a token; the defaults make it valid. */
interface TokenClaims {
  userId?: number;
  sessionId?: string;
  issuer?: string;
  audience?: string;
  /** In seconds since the epoch. */
  expires?: number;
}

/**
 * A stub of the endpoints of account-service that fleet-api calls (signing keys and revocation feed), which issues tokens.
 * Its responses are those of the contracts that the tests of account-service check too. Services do not start each other
 * in their tests; the tests of the local stack run both.
 */
export interface AccountStub {
  url: string;
  audience: string;
  revocations: Revocation[];
  /** Number of requests to the feed. */
  feedReadings(): number;
  token(access: Access, more?: TokenClaims): Promise<string>;
  /** Returns the token of an API key. */
  keyToken(access: Access, sessionId: string): Promise<string>;
  stop(): Promise<void>;
}

export async function startAccountStub(): Promise<AccountStub> {
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
  const sign = (
    claims: Record<string, unknown>,
    {
      subject,
      issuer,
      audience,
      expires,
    }: { subject: string; issuer: string; audience: string; expires: number },
  ) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', kid: 'test-key', typ: 'at+jwt' })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject(subject)
      .setJti(crypto.randomUUID())
      .setIssuedAt(nowSeconds())
      .setExpirationTime(expires)
      .sign(privateKey);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    audience: AUDIENCE,
    revocations,
    feedReadings: () => feedReadings,
    token: (
      access,
      { userId = 1, sessionId = 'session-1', issuer = url, audience = AUDIENCE, expires } = {},
    ) =>
      sign(
        { sid: sessionId, access },
        {
          subject: String(userId),
          issuer,
          audience,
          expires: expires ?? nowSeconds() + MAX_TOKEN_LIFETIME_SECONDS,
        },
      ),
    keyToken: (access, sessionId) =>
      sign(
        { sid: sessionId, access, client_id: '7', scope: FLEET_READ_SCOPE },
        {
          subject: subjectOfKey(7),
          issuer: url,
          audience: keyAudienceOf(AUDIENCE),
          expires: nowSeconds() + KEY_TOKEN_LIFETIME_SECONDS,
        },
      ),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const nowSeconds = () => Math.floor(Date.now() / SECOND_MS);
