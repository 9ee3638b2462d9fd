import { readFileSync } from 'node:fs';
import {
  ACCOUNT_CODES,
  FLEET_CODES,
  readAccountError,
  readFleetError,
  retryAfterSeconds,
  readWebsiteError,
  WEBSITE_CODES,
} from '../src/errors.ts';
import { AccountError, FleetError, WebsiteError } from '../src/index.ts';

const response = (status: number, headers: Record<string, string> = {}) =>
  new Response('', { status, statusText: 'Bad Gateway', headers });

describe('service errors', () => {
  it.each([
    ['error', readFleetError, { error: 'invalid_query', message: 'No.' }, FleetError, 'invalid_query', 'No.'],
    ['title', readAccountError, { title: 'Forbidden', detail: 'No.' }, AccountError, 'Forbidden', 'No.'],
    [
      'title',
      readWebsiteError,
      { type: 'about:blank', title: 'Conflict', status: 409, detail: 'No.' },
      WebsiteError,
      'Conflict',
      'No.',
    ],
  ] as const)('take their code from the field %s', (_field, read, body, kind, code, message) => {
    const error = read(response(400, { 'x-request-id': 'r-1', 'retry-after': '7' }), body);
    expect(error).toBeInstanceOf(kind);
    expect(error).toMatchObject({ status: 400, code, message, requestId: 'r-1', retryAfterSeconds: 7 });
  });

  it('have the code Not Found for an unknown path', () => {
    const body = { message: 'Cannot GET /x', error: 'Not Found', statusCode: 404 };
    expect(readAccountError(response(404), body)).toMatchObject({
      code: 'Not Found',
      message: 'Cannot GET /x',
    });
    expect(readWebsiteError(response(404), '# Not found')).toMatchObject({ code: 'Not Found' });
  });

  it('have the code unknown when a proxy responded', () => {
    const error = readFleetError(response(502), '<html>');
    expect(error).toMatchObject({ code: 'unknown', message: '502 Bad Gateway', status: 502 });
    expect(error.requestId).toBeUndefined();
    expect(error.retryAfterSeconds).toBeUndefined();
  });
});

test.each([
  ['120', 120],
  ['Sun, 22 Nov 2026 10:00:30 GMT', 30],
  ['Sun, 22 Nov 2026 09:00:00 GMT', 0],
  ['soon', undefined],
])('Retry-After: %s is read as %s seconds', (value, seconds) => {
  const nowMs = Date.parse('2026-11-22T10:00:00Z');
  expect(retryAfterSeconds(new Headers({ 'retry-after': value }), nowMs)).toBe(seconds);
});

describe('the lists of codes', () => {
  const [, ...sections] = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8').split(
    '\n## ',
  );

  it.each([
    ['Fleet data API', FLEET_CODES],
    ['Account service', ACCOUNT_CODES],
    ['Website', WEBSITE_CODES],
  ])('equal the error catalog of docs/errors.md: %s', (heading, codes) => {
    const section = sections.find((text) => text.startsWith(`${heading}\n`)) ?? '';
    const documented = [...section.matchAll(/^\| `([^`]+)` +\| \d{3} /gm)].map(([, code]) => code);
    expect([...codes]).toEqual(documented);
  });
});
