import { readFileSync } from 'node:fs';
import {
  ACCOUNT_CODES,
  accountFailure,
  FLEET_CODES,
  fleetFailure,
  WEBSITE_CODES,
  websiteFailure,
} from '../src/failures.ts';
import { AccountError, FleetError, WebsiteError } from '../src/index.ts';

const answer = (status: number, headers: Record<string, string> = {}) =>
  new Response('', { status, statusText: 'Bad Gateway', headers });

describe('failures', () => {
  it.each([
    ['error', fleetFailure, { error: 'invalid_query', message: 'No.' }, FleetError, 'invalid_query', 'No.'],
    ['title', accountFailure, { title: 'Forbidden', detail: 'No.' }, AccountError, 'Forbidden', 'No.'],
    [
      'title',
      websiteFailure,
      { type: 'about:blank', title: 'Conflict', status: 409, detail: 'No.' },
      WebsiteError,
      'Conflict',
      'No.',
    ],
  ] as const)('have their code from %s', (_field, read, body, kind, code, message) => {
    const failure = read(answer(400, { 'x-request-id': 'r-1', 'retry-after': '7' }), body);
    expect(failure).toBeInstanceOf(kind);
    expect(failure).toMatchObject({ status: 400, code, message, requestId: 'r-1', retryAfterSeconds: 7 });
  });

  it('are not_found in words where a path does not exist', () => {
    const body = { message: 'Cannot GET /x', error: 'Not Found', statusCode: 404 };
    expect(accountFailure(answer(404), body)).toMatchObject({ code: 'Not Found', message: 'Cannot GET /x' });
    expect(websiteFailure(answer(404), '# Not found')).toMatchObject({ code: 'Not Found' });
  });

  it('are unknown where something in between answered', () => {
    const failure = fleetFailure(answer(502), '<html>');
    expect(failure).toMatchObject({ code: 'unknown', message: '502 Bad Gateway', status: 502 });
    expect(failure.requestId).toBeUndefined();
    expect(failure.retryAfterSeconds).toBeUndefined();
  });
});

describe('the lists of codes', () => {
  it.each([
    ['fleet-api', 'error', FLEET_CODES],
    ['account-service', 'title', ACCOUNT_CODES],
    ['website-api', 'title', WEBSITE_CODES],
  ])('have every code in the document of %s', (service, field, codes) => {
    const document = readFileSync(new URL(`../../../apps/${service}/openapi.json`, import.meta.url), 'utf8');
    for (const code of codesIn(JSON.parse(document), field)) expect(codes).toContain(code);
  });
});

/** Every value that a document lists for a field of its failures. */
function codesIn(value: unknown, field: string): string[] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const own = name === field ? ((member as { enum?: string[] } | null)?.enum ?? []) : [];
    return [...own, ...codesIn(member, field)];
  });
}
