import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { DAY_MS } from '@gpu-observatory/domain-types';

/** Safari accepts at most 825 days: https://support.apple.com/en-us/103769 */
const LIFETIME_DAYS = 397;

/** Tags of ASN.1 types in DER (ITU-T X.690). */
const TAG = { boolean: 1, integer: 2, bits: 3, octets: 4, oid: 6, utf8: 12, time: 23, sequence: 48, set: 49 };

/**
 * Returns a key and a certificate (RFC 5280) for `localhost`, which can sign no other certificate, as PEM. Encodes it here, because
 * `node:crypto` reads certificates but creates none.
 */
export function selfSignedCertificate(now = new Date()): { key: string; certificate: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));
  const name = sequence(
    der(TAG.set, sequence(oid('550403'), der(TAG.utf8, Buffer.from('GPU Observatory local stack')))),
  );
  const serialNumber = randomBytes(16);
  // Positive and without a leading zero.
  serialNumber[0] = 0x40 | (serialNumber[0]! & 0x3f);
  const content = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(serialNumber),
    ecdsaWithSha256,
    name,
    sequence(time(now), time(new Date(now.getTime() + LIFETIME_DAYS * DAY_MS))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions())),
  );
  const certificate = sequence(
    content,
    ecdsaWithSha256,
    bits(0, sign('sha256', content, { key: privateKey, dsaEncoding: 'der' })),
  );
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    certificate: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
  };
}

function extensions(): Buffer[] {
  const critical = der(TAG.boolean, Buffer.from([0xff]));
  const names = [
    der(0x82, Buffer.from('localhost')),
    der(0x87, Buffer.from([127, 0, 0, 1])),
    der(0x87, Buffer.from([...Array<number>(15).fill(0), 1])),
  ];
  return [
    // Basic constraints: no certificate authority.
    sequence(oid('551d13'), critical, der(TAG.octets, sequence())),
    // Key usage: digital signature.
    sequence(oid('551d0f'), critical, der(TAG.octets, bits(7, Buffer.from([0x80])))),
    // Extended key usage: TLS server.
    sequence(oid('551d25'), der(TAG.octets, sequence(oid('2b06010505070301')))),
    // Subject alternative names.
    sequence(oid('551d11'), der(TAG.octets, sequence(...names))),
  ];
}

function der(tag: number, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const { length } = body;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}

const sequence = (...content: Buffer[]) => der(TAG.sequence, ...content);
const integer = (value: Buffer) => der(TAG.integer, value);
const oid = (hex: string) => der(TAG.oid, Buffer.from(hex, 'hex'));
const bits = (unused: number, value: Buffer) => der(TAG.bits, Buffer.from([unused]), value);

/** UTCTime: YYMMDDHHMMSSZ. */
const time = (instant: Date) =>
  der(TAG.time, Buffer.from(instant.toISOString().replace(/^..|[-:T]|\.\d+/g, '')));
