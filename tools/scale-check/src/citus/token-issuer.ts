import { createServer } from 'node:http';
import { generateKeyPairSync, randomBytes, randomUUID, sign } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Access } from '@gpu-observatory/domain-types';

/** Replaces account-service: serves the signing keys and the revocation feed that fleet-api reads. */
export interface TokenIssuer {
  url: string;
  internalCredential: string;
  token(access: Access): string;
  stop(): Promise<void>;
}

const KEY_ID = 'scale-check';
const LIFETIME_SECONDS = 6 * 3_600;

export async function startTokenIssuer(): Promise<TokenIssuer> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: KEY_ID, alg: 'ES256', use: 'sig' };
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    const isKeys = request.url?.startsWith('/.well-known/jwks.json') ?? false;
    response.end(
      JSON.stringify(isKeys ? { keys: [jwk] } : { as_of: new Date().toISOString(), revocations: [] }),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  return {
    url,
    internalCredential: randomBytes(32).toString('hex'),
    token: (access) => {
      const seconds = Math.floor(Date.now() / 1_000);
      const signed = [
        encode({ alg: 'ES256', kid: KEY_ID, typ: 'at+jwt' }),
        encode({
          iss: url,
          aud: 'gpu-observatory',
          sub: '1',
          sid: KEY_ID,
          jti: randomUUID(),
          iat: seconds,
          exp: seconds + LIFETIME_SECONDS,
          access,
        }),
      ].join('.');
      // RFC 7518, section 3.4: the two numbers of the signature, without ASN.1.
      const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
      return `${signed}.${signature.toString('base64url')}`;
    },
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
