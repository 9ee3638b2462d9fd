import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

type Parts = Record<string, unknown>;

const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

function signed(header: Parts, claims: unknown, key: KeyObject): string {
  const text = `${encode(header)}.${encode(claims)}`;
  const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
  return `${text}.${signature.toString('base64url')}`;
}

/**
 * Returns tokens that resemble a valid one but must be rejected, named by their fault. Those marked "(signed by us)"
 * carry a signature of the service.
 *
 * @param valid a valid token
 * @param ours the key that signed it
 * @param decoyUrl URL for headers that reference one
 */
export function hostileTokens(
  valid: string,
  ours: { privateKey: KeyObject; publicKey: KeyObject },
  decoyUrl: string,
): [name: string, token: string][] {
  const [head = '', body = '', signature = ''] = valid.split('.');
  const [header, claims] = [head, body].map(
    (part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Parts,
  ) as [Parts, Parts];
  const theirs = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = theirs.publicKey.export({ format: 'jwk' });
  const now = Math.floor(Date.now() / 1000);

  const withHeader = (change: Parts, key = ours.privateKey) => signed({ ...header, ...change }, claims, key);
  const withClaims = (change: Parts) => signed(header, { ...claims, ...change }, ours.privateKey);
  const unsigned = (alg: string) => `${encode({ ...header, alg })}.${body}.`;
  const hmac = (secret: string | Buffer) => {
    const text = `${encode({ ...header, alg: 'HS256' })}.${body}`;
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
  };
  const flipped = (bit: number) => {
    const bytes = Buffer.from(signature, 'base64url');
    bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    return `${head}.${body}.${bytes.toString('base64url')}`;
  };

  return [
    ...['none', 'None', 'nOnE', ''].map((alg): [string, string] => [`alg "${alg}"`, unsigned(alg)]),
    ['alg none with our signature', `${encode({ ...header, alg: 'none' })}.${body}.${signature}`],
    ['alg missing (signed by us)', withHeader({ alg: undefined })],
    ['HS256 with the public key as PEM', hmac(ours.publicKey.export({ type: 'spki', format: 'pem' }))],
    ['HS256 with the public key as DER', hmac(ours.publicKey.export({ type: 'spki', format: 'der' }))],
    ['HS256 with the public key as JWK', hmac(JSON.stringify(ours.publicKey.export({ format: 'jwk' })))],
    ['HS256 with an empty secret', hmac('')],
    ['RS256', withHeader({ alg: 'RS256' }, theirs.privateKey)],
    ['another key under our kid', withHeader({}, theirs.privateKey)],
    ['kid unknown', withHeader({ kid: 'unknown' }, theirs.privateKey)],
    ['kid missing (signed by us)', withHeader({ kid: undefined })],
    ['kid as a path', withHeader({ kid: '../../dev/null' }, theirs.privateKey)],
    ['kid with SQL', withHeader({ kid: "x' OR '1'='1" }, theirs.privateKey)],
    ['kid as a URL', withHeader({ kid: `${decoyUrl}/kid` }, theirs.privateKey)],
    ['kid __proto__', withHeader({ kid: '__proto__' }, theirs.privateKey)],
    ['jwk embedded', withHeader({ jwk }, theirs.privateKey)],
    ['jwk embedded, unknown kid', withHeader({ jwk, kid: 'theirs' }, theirs.privateKey)],
    ['jku', withHeader({ jku: `${decoyUrl}/jwks.json` }, theirs.privateKey)],
    [
      'jku with an unknown kid',
      withHeader({ jku: `${decoyUrl}/jwks.json`, kid: 'theirs' }, theirs.privateKey),
    ],
    ['jku (signed by us)', withHeader({ jku: `${decoyUrl}/jwks.json` })],
    ['x5u', withHeader({ x5u: `${decoyUrl}/certificate.pem` }, theirs.privateKey)],
    ['x5c', withHeader({ x5c: [Buffer.from('certificate').toString('base64')] }, theirs.privateKey)],
    ['crit (signed by us)', withHeader({ crit: ['exp'] })],
    ['b64 false (signed by us)', withHeader({ b64: false, crit: ['b64'] })],
    ['zip (signed by us)', withHeader({ zip: 'DEF' })],
    ['typ JWT (signed by us)', withHeader({ typ: 'JWT' })],
    ['typ missing (signed by us)', withHeader({ typ: undefined })],
    ['typ of an ID token (signed by us)', withHeader({ typ: 'id_token+jwt' })],
    ['another iss (signed by us)', withClaims({ iss: 'https://evil.example' })],
    ['iss with a slash (signed by us)', withClaims({ iss: `${String(claims['iss'])}/` })],
    ['iss missing (signed by us)', withClaims({ iss: undefined })],
    ['another aud (signed by us)', withClaims({ aud: 'another-service' })],
    ['aud missing (signed by us)', withClaims({ aud: undefined })],
    ['expired (signed by us)', withClaims({ iat: now - 100, exp: now - 1 })],
    ['exp missing (signed by us)', withClaims({ exp: undefined })],
    ['exp as a string (signed by us)', withClaims({ exp: String(now + 60) })],
    ['longer than any session (signed by us)', withClaims({ exp: now + 90_000 })],
    ['nbf in the future (signed by us)', withClaims({ nbf: now + 60 })],
    ['iat missing (signed by us)', withClaims({ iat: undefined })],
    ['sub missing (signed by us)', withClaims({ sub: undefined })],
    ['sub as a number (signed by us)', withClaims({ sub: 1 })],
    ['sub with SQL (signed by us)', withClaims({ sub: '1 OR 1=1' })],
    ['sid missing (signed by us)', withClaims({ sid: undefined })],
    ['jti missing (signed by us)', withClaims({ jti: undefined })],
    ['access missing (signed by us)', withClaims({ access: undefined })],
    ['access "all" (signed by us)', withClaims({ access: 'all' })],
    [
      'a repeated claim (signed by us)',
      signed(header, `{"sub":"2",${JSON.stringify(claims).slice(1)}`, ours.privateKey),
    ],
    ['claims as an array (signed by us)', signed(header, [], ours.privateKey)],
    ['claims of another user', `${head}.${encode({ ...claims, sub: '2' })}.${signature}`],
    ...[0, 255, 511].map((bit): [string, string] => [`signature bit ${bit} flipped`, flipped(bit)]),
    ['signature stripped', `${head}.${body}.`],
    ['signature and dot stripped', `${head}.${body}`],
    ['signature of zeros', `${head}.${body}.${Buffer.alloc(64).toString('base64url')}`],
    ['signature padded', `${valid}==`],
    ['five parts', `${head}..a.b.c`],
    ['oversized (signed by us)', withClaims({ filling: 'x'.repeat(5_000) })],
    ['no JWT', 'x'],
  ];
}
