import { readOptions } from '../src/options.ts';

const url = ['--base-url', 'https://fleet.example.com/'];

it('reads all options', () => {
  const args = [
    ...['fleet', ...url, '--token-command', 'x', '--origin', 'https://app.example.com:8443', '--write'],
    ...[
      '--frontend-url',
      'https://app.example.com',
      '--junit',
      '/tmp/a.xml',
      '--bad-input',
      '10',
      '--seed',
      '0',
    ],
  ];
  expect(readOptions(args)).toEqual({
    service: 'fleet',
    baseUrl: 'https://fleet.example.com',
    tokenCommand: 'x',
    origin: 'https://app.example.com:8443',
    frontendUrl: 'https://app.example.com',
    write: true,
    junit: '/tmp/a.xml',
    badInput: 10,
    seed: 0,
  });
  expect(readOptions(['website', ...url])).toEqual({
    service: 'website',
    baseUrl: 'https://fleet.example.com',
    write: false,
  });
});

it.each([
  [['fleet'], /required option '--base-url <url>' not specified/],
  [['billing', ...url], /Allowed choices are fleet, account, website/],
  [
    ['fleet', '--base-url', 'fleet.example.com'],
    /It must be an HTTP URL such as https:\/\/fleet\.example\.com/,
  ],
  [['fleet', ...url, '--origin', 'https://app.example.com/path'], /It must be scheme, host and port/],
  [['fleet', ...url, '--bad-input', '0'], /It must be an integer of at least 1/],
  [['fleet', ...url, '--seed', '-1'], /It must be an integer of at least 0/],
  [['fleet', ...url, '--wrote'], /unknown option '--wrote'/],
])('rejects %j and names what is accepted', (args, message) => {
  expect(() => readOptions(args)).toThrow(
    expect.objectContaining({ name: 'RunError', message: expect.stringMatching(message) }),
  );
});
