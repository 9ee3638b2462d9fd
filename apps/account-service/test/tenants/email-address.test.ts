import { normalizeDomain, parseEmailAddress } from '../../src/tenants/email-address.ts';

test.each([
  ['ada@acme.example', 'ada@acme.example'],
  ['Ada.Lovelace+gpu@ACME.Example', 'ada.lovelace+gpu@acme.example'],
  ['x@bücher.example', 'x@xn--bcher-kva.example'],
  ['x@BÜCHER。example', 'x@xn--bcher-kva.example'],
  ['x@ＡＣＭＥ.example', 'x@acme.example'],
  ['jürgen@acme.example', 'jürgen@acme.example'],
  // The Kelvin sign lower-cases to k and ſ upper-cases to S, but the addresses belong to other people.
  ['\u212Aarl@acme.example', '\u212Aarl@acme.example'],
  ['ſam@acme.example', 'ſam@acme.example'],
])('normalizes %s to %s', (text, address) => {
  expect(parseEmailAddress(text)).toEqual({ address, domain: address.slice(address.indexOf('@') + 1) });
});

test.each([
  'acme.example/evil.example',
  'acme.example#.evil.example',
  'acme.example?.evil.example',
  'acme.example\\evil.example',
  'acme.example:80',
  'acme%2eexample',
  'acme.example%00.evil.example',
  'acme.example／evil.example',
  'acme.example＃evil.example',
  'acme％２ｅexample',
  'acme.example;evil.example',
  'acme.example,evil.example',
  'acme.example&evil.example',
  '(comment)acme.example',
  'acme.example(evil)',
  '<acme.example>',
  'acme.example.',
  '.acme.example',
  'acme..example',
  '-acme.example',
  'acme-.example',
  'acme_1.example',
  'acme',
  '',
  '[127.0.0.1]',
  '127.0.0.1',
  '0x7f.1',
  `${'x'.repeat(64)}.example`,
  `${'x.'.repeat(130)}example`,
  'acme.example\n',
  'ac\u0000me.example',
  'ac\tme.example',
])('rejects the domain %j', (text) => {
  expect(normalizeDomain(text)).toBeNull();
  expect(parseEmailAddress(`x@${text}`)).toBeNull();
});

test.each([
  '@acme.example',
  'acme.example',
  'x@',
  'x@evil.example@acme.example',
  '"x@evil.example"@acme.example',
  'x y@acme.example',
  'x\u200b@acme.example',
  'x\u202e@acme.example',
  'x\n@acme.example',
  `${'x'.repeat(65)}@acme.example`,
])('rejects the address %j', (text) => {
  expect(parseEmailAddress(text)).toBeNull();
});
