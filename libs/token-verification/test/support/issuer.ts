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

/** Signs as ES256 does: SHA-256 and the two numbers of the signature side by side (RFC 7518, section 3.4). */
export function signText(text: string, privateKey: KeyObject, digest = 'sha256'): string {
  return sign(digest, Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString(
    'base64url',
  );
}

/** A token of this header and these claims; texts are taken as they are. */
export function mint(header: unknown, claims: unknown, privateKey: KeyObject): string {
  const signed = `${encode(header)}.${encode(claims)}`;
  return `${signed}.${signText(signed, privateKey)}`;
}

export interface CountingServer {
  url: string;
  /** Paths asked for so far. */
  requests: string[];
  /** What is answered from now on; null: nothing, the connection breaks. */
  answer: { status: number; body: string } | null;
  close(): Promise<void>;
}

/** A local HTTP server that counts; it stands for the account service, and for wherever a hostile token leads. */
export async function startCountingServer(body: unknown): Promise<CountingServer> {
  const server: Server = createServer((request, response) => {
    counting.requests.push(request.url ?? '');
    if (counting.answer === null) return void request.socket.destroy();
    response.writeHead(counting.answer.status, { 'content-type': 'application/json' });
    response.end(counting.answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const counting: CountingServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    answer: { status: 200, body: JSON.stringify(body) },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return counting;
}
