import type { Settings } from '../../src/config/settings.ts';
import { readSettings, serviceConfig, serviceSettings, setting } from '../../src/process.ts';

const DATABASE_URL = 'postgres://fleet_api:p%40ss@db.example:5432/observatory';

/** Returns the value of one variable, or the error message. */
function read(kind: Settings[string], value: string | undefined): unknown {
  try {
    return readSettings({ IT: kind }, value === undefined ? {} : { IT: value })['IT'];
  } catch (failure) {
    return (failure as Error).message;
  }
}

const SECRET =
  'it: at least 32 random characters, for example from openssl rand -base64 32; during a change several values ' +
  'separated by commas: the first is sent, every one is accepted';

test.each<[string, Settings[string], string, unknown]>([
  ['text', setting.text('a name'), 'x y', 'x y'],
  ['text with blanks around', setting.text('a name'), '  x ', 'x'],
  ['one of', setting.oneOf(['a', 'b'], 'a'), 'b', 'b'],
  ['flag', setting.flag('it', 'false'), 'true', true],
  ['integer', setting.integer('it', { min: 1, max: 9 }), '9', 9],
  ['port', setting.port('it', 80), '0', 0],
  ['postgres URL', setting.postgresUrl('it'), DATABASE_URL, DATABASE_URL],
  ['HTTP URL', setting.httpUrl('it'), 'https://a.example/base/', 'https://a.example/base'],
  [
    'secret',
    setting.rotatedSecret('it'),
    `${'x'.repeat(32)}, ${'y'.repeat(32)}`,
    ['x'.repeat(32), 'y'.repeat(32)],
  ],
  ['origins', setting.origins('it'), ' https://a.example, http://b:1 ,', ['https://a.example', 'http://b:1']],
  ['networks', setting.cidrs('it'), '10.0.0.0/8,::1,fd00::/8', ['10.0.0.0/8', '::1', 'fd00::/8']],
])('reads %s', (_name, kind, text, value) => {
  expect(read(kind, text)).toEqual(value);
});

test.each<[string, Settings[string], unknown]>([
  ['one of', setting.oneOf(['a', 'b'], 'a'), 'a'],
  ['flag', setting.flag('it', 'true'), true],
  ['integer', setting.integer('it', { min: 1, max: 9, defaultValue: 3 }), 3],
  ['port', setting.port('it', 80), 80],
  ['origins', setting.origins('it'), []],
  ['networks', setting.cidrs('it'), []],
])('has a default: %s', (_name, kind, value) => {
  for (const absent of [undefined, '', '  ']) expect(read(kind, absent)).toEqual(value);
});

test('reports the certificate file of a postgres URL that cannot be read', () => {
  const withFile = (file: string) => `${DATABASE_URL}?sslmode=verify-full&sslrootcert=${file}`;
  expect(read(setting.postgresUrl('it'), withFile('/nonexistent/ca.crt'))).toBe(
    'IT has sslrootcert=/nonexistent/ca.crt, but this file cannot be read (ENOENT): mount it, or correct the path',
  );
  expect(read(setting.postgresUrl('it'), withFile(import.meta.filename))).toBe(
    withFile(import.meta.filename),
  );
});

test.each<[string, Settings[string], string[], string]>([
  ['one of', setting.oneOf(['a', 'b'], 'a'), ['c', 'A'], 'one of a, b (default a)'],
  ['flag', setting.flag('it', 'true'), ['1', 'yes', 'TRUE'], 'true or false: it (default true)'],
  [
    'integer',
    setting.integer('it', { min: 1, max: 9 }),
    ['0', '10', '1.5', '-1', '1e1', '0x1', '+1', 'many'],
    'an integer from 1 to 9: it',
  ],
  ['port', setting.port('it', 80), ['65536', 'http'], 'an integer from 0 to 65535: it (default 80)'],
  [
    'postgres URL',
    setting.postgresUrl('it'),
    [
      'hunter2',
      'mysql://a:b@c/d',
      'postgres://c/d',
      'postgres://a:b@c',
      'postgres://a:b@c/',
      'postgres://a:100%@c/d',
      'postgres://a:b@c:port/d',
    ],
    'it, as postgres://role:password@host:5432/database',
  ],
  [
    'HTTP URL',
    setting.httpUrl('it'),
    ['a.example', 'ftp://a', 'https:a', 'https://a:b@c', 'https://a/?b=c', 'https://a/#b', '//a'],
    'it, as https://host, without credentials, query or fragment',
  ],
  ['secret', setting.rotatedSecret('it'), ['x'.repeat(31), `${'x'.repeat(32)},y`], SECRET],
  [
    'origins',
    setting.origins('it'),
    [
      '*',
      'a.example',
      'https://a.example/',
      'https://a.example/b',
      'https://a:443',
      'https://A.example',
      'null',
    ],
    'a comma-separated list of origins (scheme, host and port, without a path): it (default none)',
  ],
  [
    'networks',
    setting.cidrs('it'),
    [
      '10.0.0.0/33',
      'fd00::/129',
      '10.0.0/8',
      'a.example',
      '10.0.0.0/8/8',
      '10.0.0.0/',
      'fe80::1%eth0',
      'loopback',
    ],
    'a comma-separated list of networks such as 10.0.0.0/8: it (default none)',
  ],
])(
  'rejects an invalid %s with a message that has the accepted values but not the value',
  (_name, kind, values, should) => {
    for (const value of values) expect(read(kind, value)).toBe(`IT is not valid: it should be ${should}`);
  },
);

test.each<[Settings[string], string]>([
  [setting.text('a name'), 'a name'],
  [setting.rotatedSecret('it'), SECRET],
  [setting.integer('it', { min: 1, max: 9 }), 'an integer from 1 to 9: it'],
])('reports a missing variable with its accepted values', (kind, should) => {
  expect(read(kind, undefined)).toBe(`IT is missing: it should be ${should}`);
});

test('lists every missing or invalid variable, one per line', () => {
  const environment = {
    PORT: 'http',
    ALLOWED_ORIGINS: '*',
    DATABASE_URL: 'hunter2',
    SHUTDOWN_DRAIN_SECONDS: '99',
  };
  const readInvalid = () => readSettings(serviceSettings, environment);
  expect(readInvalid).toThrow(
    expect.objectContaining({
      name: 'ConfigurationError',
      message: expect.stringMatching(
        /^PORT is not valid: .*\nALLOWED_ORIGINS is not valid: .*\nDATABASE_URL is not valid: .*\nSHUTDOWN_DRAIN_SECONDS is not valid: .*$/,
      ) as string,
    }),
  );
});

test('only the database URL has no default', () => {
  expect(serviceConfig(readSettings(serviceSettings, { DATABASE_URL }))).toEqual({
    host: '0.0.0.0',
    port: 8080,
    managementPort: 9090,
    trustedProxies: [],
    allowedOrigins: [],
    logLevel: 'info',
    compressesResponses: true,
    database: { url: DATABASE_URL, poolSize: 10, namedStatements: true },
    drainSeconds: 5,
  });
});
