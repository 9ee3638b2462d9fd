import fc, { type Arbitrary } from 'fast-check';
import { weighted } from './weighted.ts';

/** Values that are known to break servers. Each is sent as a whole value, percent-encoded where HTTP requires it. */
const NOTORIOUS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\r\nX-Injected: 1',
  '../../etc/passwd',
  '..%2f..%2f',
  "' OR 1=1--",
  '"; DROP TABLE alerts;--',
  '$1',
  '${7*7}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '%',
  '_',
  '\\',
  '%%%',
  'null',
  'undefined',
  'true',
  'NaN',
  'Infinity',
  '-0',
  '0',
  '-1',
  '1.5',
  '1e3',
  '1e400',
  '0x10',
  '2147483647',
  '2147483648',
  '9223372036854775807',
  '9223372036854775808',
  '99999999999999999999999999999999999999',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '[]',
  '{}',
  '[object Object]',
  '﻿',
  '\u202e',
  'İ',
  'ß',
  'ﬁ',
  '\u{1f469}\u200d\u{1f4bb}',
  'e\u0301'.repeat(50),
  '2026-11-21T00:00:00Z',
  '2026-02-29T00:00:00Z',
  '2026-06-30T23:59:60Z',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999999999Z',
  '-000001-01-01T00:00:00Z',
  '2026-11-21T00:00:00+24:00',
  '2026-11-21 00:00:00',
  '00000000-0000-0000-0000-000000000000',
  'FFFFFFFF-FFFF-4FFF-BFFF-FFFFFFFFFFFF',
  '00000000:3B:00.0',
  'host|00000000:3B:00.0|guest',
  'GPU-',
  'a'.repeat(300),
  'a'.repeat(5000),
  ','.repeat(500),
  'critical,high,',
  'eyJhbGciOiJub25lIn0.e30.',
];

/** Percent-encodings that are not UTF-8: truncated sequences, overlong forms, surrogates (RFC 3629, section 3). */
const BROKEN_ENCODINGS = [
  '%',
  '%4',
  '%zz',
  '%ff',
  '%c0%80',
  '%e2%82',
  '%ed%a0%80',
  '%f5%80%80%80',
  '%00',
  '%u0041',
];

/** Generates text as an attacker or a careless client sends it. */
export const hostileText: Arbitrary<string> = weighted(
  [3, fc.constantFrom(...NOTORIOUS)],
  [2, fc.string({ unit: 'binary', maxLength: 40 })],
  [1, fc.string({ maxLength: 40 })],
  [1, fc.integer().map(String)],
  [1, fc.double().map(String)],
);

/** Percent-encodes text for a path or a query: correctly, twice, incompletely, or with a broken sequence. */
export function encoded(text: Arbitrary<string>): Arbitrary<string> {
  return weighted(
    [6, text.map(percentEncode)],
    [1, text.map((value) => encodeURI(value.toWellFormed()).replaceAll('#', '%23').replaceAll('?', '%3F'))],
    [1, text.map((value) => percentEncode(percentEncode(value)))],
    [
      1,
      fc
        .tuple(fc.constantFrom(...BROKEN_ENCODINGS), text)
        .map(([broken, value]) => `${percentEncode(value).slice(0, 20)}${broken}`),
    ],
  );
}

/** Generates a header value without control characters (RFC 9110, section 5.5). */
export const hostileHeader: Arbitrary<string> = hostileText.map((text) =>
  Array.from(Buffer.from(text).toString('latin1'))
    .filter((character) => character >= ' ' && character !== '\x7f')
    .join('')
    .trim(),
);

/** Generates any JSON, including deep nesting and unusual keys. */
export const hostileJson: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 1e308, 2 ** 53, '', [], {}, [[]], [null]),
  hostileText,
  fc.jsonValue({ maxDepth: 3 }),
  fc.constant(JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`)),
);

function percentEncode(text: string): string {
  // A lone surrogate has no UTF-8 encoding. A careless encoder sends its three octets.
  return text.isWellFormed()
    ? encodeURIComponent(text)
    : `${encodeURIComponent(text.toWellFormed())}%ed%a0%80`;
}
