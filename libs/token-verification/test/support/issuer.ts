import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export const ISSUER = 'https://account.example';
export const AUDIENCE = 'gpu-observatory';
export const KEY_ID = 'key-1';

export interface KeyPair {
  publicKey: KeyObject;
  privateKey: KeyObject;
}

export const ecKeys = (namedCurve = 'P-256'): KeyPair => generateKeyPairSync('ec', { namedCurve });
export const jwkOf = (publicKey: KeyObject, kid = KEY_ID) => ({
  ...publicKey.export({ format: 'jwk' }),
  kid,
  use: 'sig',
  alg: 'ES256',
});

export const encode = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

export const goodHeader = () => ({ alg: 'ES256', typ: 'at+jwt', kid: KEY_ID }) as Record<string, unknown>;

export function goodClaims(nowMs = Date.now()): Record<string, unknown> {
  const iat = Math.floor(nowMs / 1000);
  return {
    iss: ISSUER,
    aud: AUDIENCE,
    sub: '7',
    sid: 'session-1',
    jti: 'token-1',
    iat,
    exp: iat + 21_600,
    access: [{ customer_id: 3, workspace_ids: [1, 2] }],
  };
}

/** Signs with ES256: the concatenation of R and S over SHA-256 (RFC 7518, section 3.4). */
export function signText(text: string, privateKey: KeyObject, digest = 'sha256'): string {
  return sign(digest, Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString(
    'base64url',
  );
}

/** Returns a token with this header and these claims; strings are used verbatim. */
export function mint(header: unknown, claims: unknown, privateKey: KeyObject): string {
  const signed = `${encode(header)}.${encode(claims)}`;
  return `${signed}.${signText(signed, privateKey)}`;
}

export interface CountingServer {
  url: string;
  /** Requested paths. */
  requests: string[];
  /** Response from now on; null closes the connection. */
  response: { status: number; body: string } | null;
  close(): Promise<void>;
}

/** Starts an HTTP server that records requests, in place of account-service and of URLs in hostile tokens. */
export async function startCountingServer(body: unknown): Promise<CountingServer> {
  const server: Server = createServer((request, response) => {
    counting.requests.push(request.url ?? '');
    if (counting.response === null) return void request.socket.destroy();
    response.writeHead(counting.response.status, { 'content-type': 'application/json' });
    response.end(counting.response.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const counting: CountingServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    response: { status: 200, body: JSON.stringify(body) },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return counting;
}
