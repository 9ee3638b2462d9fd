import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import {
  encode,
  goodClaims,
  goodHeader,
  jwkOf,
  type KeyPair,
  ecKeys,
  KEY_ID,
  mint,
  signText,
} from './issuer.ts';

type Change = Record<string, unknown>;

/**
 * Returns invalid tokens by the reason. Those marked "(signed by us)" have a valid signature, so their content must be
 * the reason for the rejection.
 *
 * @param decoyUrl URL in headers such as `jku`, which must never be requested
 */
export function hostileTokens(ours: KeyPair, decoyUrl: string): [name: string, token: string][] {
  const theirs = ecKeys();
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const good = mint(goodHeader(), goodClaims(), ours.privateKey);
  const [header = '', payload = '', signature = ''] = good.split('.');
  const body = `${header}.${payload}`;
  const now = goodClaims()['iat'] as number;

  const withHeader = (change: Change, keys = ours) =>
    mint({ ...goodHeader(), ...change }, goodClaims(), keys.privateKey);
  const withClaims = (change: Change) => mint(goodHeader(), { ...goodClaims(), ...change }, ours.privateKey);
  const without = (name: string) => withClaims({ [name]: undefined });
  const withAccess = (access: unknown) => withClaims({ access });
  const unsigned = (alg: string) => `${encode({ ...goodHeader(), alg })}.${payload}.`;
  const hmac = (secret: string | Buffer, change: Change = {}) => {
    const text = `${encode({ ...goodHeader(), alg: 'HS256', ...change })}.${payload}`;
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
  };
  const flipped = (bit: number) => {
    const bytes = Buffer.from(signature, 'base64url');
    bytes[bit >> 3]! ^= 1 << (bit & 7);
    return `${body}.${bytes.toString('base64url')}`;
  };
  const signedBy = (alg: string, curve: string, digest: string) => {
    const text = `${encode({ ...goodHeader(), alg })}.${payload}`;
    return `${text}.${signText(text, ecKeys(curve).privateKey, digest)}`;
  };
  const withRsa = (alg: string, padding?: number) => {
    const text = `${encode({ ...goodHeader(), alg })}.${payload}`;
    const key = { key: rsa.privateKey, ...(padding === undefined ? {} : { padding }) };
    return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
  };
  const pem = ours.publicKey.export({ type: 'spki', format: 'pem' });
  const spelled = (text: string) => mint(goodHeader(), text, ours.privateKey);
  const claimsText = JSON.stringify(goodClaims());
  // 64 bytes leave four bits of the last character unused.
  const lastCharacter = { A: 'B', Q: 'R', g: 'h', w: 'x' }[signature.at(-1) ?? ''] ?? '';

  return [
    ...['none', 'None', 'NONE', 'nOnE', ''].map((alg): [string, string] => [`alg "${alg}"`, unsigned(alg)]),
    ['alg none with our signature', `${encode({ ...goodHeader(), alg: 'none' })}.${payload}.${signature}`],
    ['alg missing (signed by us)', withHeader({ alg: undefined })],
    ['alg a list (signed by us)', withHeader({ alg: ['ES256'] })],
    ['alg in other letters (signed by us)', withHeader({ alg: 'es256' })],
    ['HS256 with the public key as PEM', hmac(pem)],
    ['HS256 with the public key as DER', hmac(ours.publicKey.export({ type: 'spki', format: 'der' }))],
    ['HS256 with the public key as JWK', hmac(JSON.stringify(jwkOf(ours.publicKey)))],
    ['HS256 with an empty secret', hmac('')],
    ['HS256 called ES256', hmac(pem, { alg: 'ES256' })],
    ['kid missing (signed by us)', withHeader({ kid: undefined })],
    ['kid empty (signed by us)', withHeader({ kid: '' })],
    ['kid a number (signed by us)', withHeader({ kid: 1 })],
    ['kid unknown', withHeader({ kid: 'key-2' }, theirs)],
    ['kid unknown (signed by us)', withHeader({ kid: 'key-2' })],
    ['kid a path', withHeader({ kid: '../../../../dev/null' }, theirs)],
    ['kid SQL', withHeader({ kid: "x' UNION SELECT 'secret" }, theirs)],
    ['kid an address', withHeader({ kid: `${decoyUrl}/kid` }, theirs)],
    ['kid of the prototype', withHeader({ kid: '__proto__' }, theirs)],
    ['jwk embedded', withHeader({ jwk: jwkOf(theirs.publicKey) }, theirs)],
    ['jwk embedded, without kid', withHeader({ jwk: jwkOf(theirs.publicKey), kid: undefined }, theirs)],
    ['jku', withHeader({ jku: `${decoyUrl}/jwks.json` }, theirs)],
    ['jku with an unknown kid', withHeader({ jku: `${decoyUrl}/jwks.json`, kid: 'key-2' }, theirs)],
    ['x5u', withHeader({ x5u: `${decoyUrl}/cert.pem` }, theirs)],
    ['x5c', withHeader({ x5c: [Buffer.from('certificate').toString('base64')] }, theirs)],
    ['jku (signed by us)', withHeader({ jku: `${decoyUrl}/jwks.json` })],
    ['crit unknown (signed by us)', withHeader({ crit: ['exp'], exp: now + 60 })],
    ['crit empty (signed by us)', withHeader({ crit: [] })],
    ['b64 false (signed by us)', withHeader({ b64: false, crit: ['b64'] })],
    ['b64 true and critical (signed by us)', withHeader({ b64: true, crit: ['b64'] })],
    ['zip (signed by us)', withHeader({ zip: 'DEF' })],
    ['cty JWT (signed by us)', withHeader({ cty: 'JWT' })],
    ['typ missing (signed by us)', withHeader({ typ: undefined })],
    ['typ JWT (signed by us)', withHeader({ typ: 'JWT' })],
    ['typ refresh (signed by us)', withHeader({ typ: 'rt+jwt' })],
    ['typ ID token (signed by us)', withHeader({ typ: 'id_token+jwt' })],
    ['iss of another issuer (signed by us)', withClaims({ iss: 'https://evil.example' })],
    ['iss with a slash (signed by us)', withClaims({ iss: 'https://account.example/' })],
    ['iss missing (signed by us)', without('iss')],
    ['aud of another service (signed by us)', withClaims({ aud: 'another-service' })],
    ['aud missing (signed by us)', without('aud')],
    ['aud empty (signed by us)', withClaims({ aud: [] })],
    ['expired (signed by us)', withClaims({ iat: now - 100, exp: now - 1 })],
    ['expires now (signed by us)', withClaims({ iat: now - 100, exp: now })],
    ['exp missing (signed by us)', without('exp')],
    ['exp a text (signed by us)', withClaims({ exp: String(now + 60) })],
    ['exp without end (signed by us)', spelled(claimsText.replace(/"exp":\d+/, '"exp":1e400'))],
    ['exp before iat (signed by us)', withClaims({ iat: now + 120, exp: now + 60 })],
    ['longer than any session (signed by us)', withClaims({ exp: now + 86_401 })],
    ['nbf in the future (signed by us)', withClaims({ nbf: now + 60 })],
    ['nbf a text (signed by us)', withClaims({ nbf: 'now' })],
    ['iat missing (signed by us)', without('iat')],
    ['iat a text (signed by us)', withClaims({ iat: String(now) })],
    ['jti missing (signed by us)', without('jti')],
    ['jti a number (signed by us)', withClaims({ jti: 1 })],
    ['sid missing (signed by us)', without('sid')],
    ['sid empty (signed by us)', withClaims({ sid: '' })],
    ['sub missing (signed by us)', without('sub')],
    ...['', '0', '-1', '1.5', '1e3', '0x1', ' 1', 'seven', '9007199254740993', '1; DROP TABLE users'].map(
      (sub): [string, string] => [`sub "${sub}" (signed by us)`, withClaims({ sub })],
    ),
    ['sub a number (signed by us)', withClaims({ sub: 7 })],
    ['access missing (signed by us)', without('access')],
    ['access null (signed by us)', withAccess(null)],
    ['access "all" (signed by us)', withAccess('all')],
    ['access an object (signed by us)', withAccess({ customer_id: 3, workspace_ids: 'all' })],
    ['access of null (signed by us)', withAccess([null])],
    ['access without workspaces (signed by us)', withAccess([{ customer_id: 3 }])],
    ['access to another word (signed by us)', withAccess([{ customer_id: 3, workspace_ids: 'ALL' }])],
    ['access to a text id (signed by us)', withAccess([{ customer_id: '3', workspace_ids: 'all' }])],
    ['access to a negative id (signed by us)', withAccess([{ customer_id: -3, workspace_ids: 'all' }])],
    ['access to a fraction (signed by us)', withAccess([{ customer_id: 1.5, workspace_ids: 'all' }])],
    ['access to text workspaces (signed by us)', withAccess([{ customer_id: 3, workspace_ids: ['1'] }])],
    ['access to workspace 0 (signed by us)', withAccess([{ customer_id: 3, workspace_ids: [0] }])],
    ['a claim twice (signed by us)', spelled(`{"sub":"1",${claimsText.slice(1)}`)],
    [
      'a header twice',
      mint(`{"alg":"none",${JSON.stringify(goodHeader()).slice(1)}`, goodClaims(), theirs.privateKey),
    ],
    ['claims with blanks (signed by us)', spelled(JSON.stringify(goodClaims(), null, 1))],
    ['claims that are a list (signed by us)', spelled('[]')],
    ['claims that are null (signed by us)', spelled('null')],
    ['claims that are no JSON (signed by us)', spelled('{')],
    ...[0, 7, 255, 256, 511].map((bit): [string, string] => [`signature bit ${bit} flipped`, flipped(bit)]),
    ['a last character that decodes alike', `${body}.${signature.slice(0, -1)}${lastCharacter}`],
    ['signature stripped', `${body}.`],
    ['signature and dot stripped', body],
    ['signature cut short', `${body}.${signature.slice(0, -4)}`],
    ['signature too long', `${body}.${signature}AAAA`],
    ['signature of zeros', `${body}.${Buffer.alloc(64).toString('base64url')}`],
    [
      'signature in DER',
      `${body}.${sign('sha256', Buffer.from(body), ours.privateKey).toString('base64url')}`,
    ],
    ['signature padded', `${good}==`],
    ['payload of another token', `${header}.${encode({ ...goodClaims(), sub: '1' })}.${signature}`],
    ['payload detached', `${header}..${signature}`],
    ['another key', withHeader({}, theirs)],
    ['another curve under our alg', signedBy('ES256', 'P-384', 'sha256')],
    ['ES256K', signedBy('ES256K', 'secp256k1', 'sha256')],
    ['ES384', signedBy('ES384', 'P-384', 'sha384')],
    ['ES512', signedBy('ES512', 'P-521', 'sha512')],
    ['RS256', withRsa('RS256')],
    ['PS256', withRsa('PS256', 6)],
    ['EdDSA', `${encode({ ...goodHeader(), alg: 'EdDSA' })}.${payload}.${signature}`],
    ['encrypted: five parts', `${encode({ alg: 'dir', enc: 'A256GCM', kid: KEY_ID })}..a.b.c`],
    ['a token within a token (signed by us)', mint({ ...goodHeader(), cty: 'JWT' }, good, ours.privateKey)],
    ['JSON serialization', JSON.stringify({ payload, protected: header, signature })],
    ['two tokens', `${good}.${good}`],
    ['two tokens with a comma', `${good},${good}`],
    ['a blank before', ` ${good}`],
    ['a blank after', `${good} `],
    ['a line break within', `${header}.\n${payload}.${signature}`],
    ['standard base64', `${body}.${signature.replaceAll('-', '+').replaceAll('_', '/')}=`],
    ['oversized (signed by us)', withClaims({ filling: 'x'.repeat(5_000) })],
    ['megabytes', 'x'.repeat(2_000_000)],
    ['Unicode', `${header}.${payload}.簽名`],
    ['look-alike letters', good.replace('e', 'е')],
    ['empty', ''],
    ['dots', '..'],
    ['the word', 'null'],
  ];
}
