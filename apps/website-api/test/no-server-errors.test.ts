import type { TestDatabase } from '@gpu-observatory/embedded-database';
import type { RunningService } from '@gpu-observatory/service-runtime';
import fc from 'fast-check';
import { websiteApi } from '../src/website-api.ts';
import { send } from './support/http.ts';
import { richContent } from './support/rich-content.ts';
import { createWebsiteDatabase, publish, runtimeUrl, startWebsite } from './support/website.ts';

/** How many requests of each kind: WEBSITE_CASES=10000 for the full form. */
const numRuns = Number(process.env['WEBSITE_CASES'] ?? 150);

let database: TestDatabase;
let website: RunningService;

beforeAll(async () => {
  database = await createWebsiteDatabase();
  await publish(database, richContent);
  website = await startWebsite(runtimeUrl(database), websiteApi, { RATE_LIMITS: 'false' });
});

afterAll(async () => {
  await website.close();
  await database.drop();
});

/** Any text, and pieces that parsers stumble over. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(
    '',
    ' ',
    '\0',
    '%',
    '%00',
    '../..',
    '__proto__',
    '1e3',
    '-1',
    '9'.repeat(40),
    "' OR 1=1 --",
    '\ud800',
    '[]',
    '{}',
    '*',
  ),
);
/** As somebody types it, or as it is encoded right. */
const piece = fc.tuple(text, fc.boolean()).map(([value, isEncoded]) => {
  if (!isEncoded) return value.replace(/[^\x21-\x7e]|[?#]/g, '');
  return encodeURIComponent(value.toWellFormed());
});
const headerValue = text.map((value) => value.replace(/[^\x20-\x7e]/g, '').trim());

const paths = fc.oneof(
  fc.constantFrom(
    '/',
    '/blog',
    '/blog.md',
    '/developers',
    '/contact',
    '/llms.txt',
    '/feed.xml',
    '/sitemap.xml',
  ),
  fc
    .tuple(
      fc.constantFrom(
        '/blog/',
        '/blog/tag/',
        '/blog/category/',
        '/api/posts/',
        '/media/',
        '/assets/',
        '/docs/',
        '/',
      ),
      piece,
    )
    .map(([folder, name]) => folder + name),
  fc.constantFrom('/api/site', '/api/posts', '/api/categories', '/api/tags'),
);
const query = fc
  .array(
    fc.tuple(fc.oneof(fc.constantFrom('limit', 'offset', 'tag', 'category', 'featured'), piece), piece),
    { maxLength: 3 },
  )
  .map((pairs) =>
    pairs.length === 0 ? '' : `?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`,
  );
const headers = fc.dictionary(
  fc.constantFrom(
    'accept',
    'accept-encoding',
    'if-none-match',
    'origin',
    'x-request-id',
    'traceparent',
    'cache-control',
  ),
  headerValue,
  { maxKeys: 4 },
);

describe('whatever is asked', () => {
  it('a reader gets an answer or a refusal, never a fault', async () => {
    await fc.assert(
      fc.asyncProperty(paths, query, headers, async (path, search, given) => {
        const answer = await send(website.publicUrl, path + search, { headers: given });
        expect([200, 304, 400, 404, 431]).toContain(answer.status);
        expect(answer.headers['x-request-id']).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
        expect(answer.headers['x-content-type-options']).toBe('nosniff');
        if (answer.status === 400) {
          expect(JSON.parse(answer.text)).toEqual({
            type: 'about:blank',
            title: 'Bad Request',
            status: 400,
            detail: expect.stringMatching(/./),
          });
        }
      }),
      { numRuns },
    );
  });

  const field = fc.oneof(text, fc.jsonValue(), fc.constant(undefined));
  const body = fc.oneof(
    fc.record(
      { firstName: field, email: field, company: field, message: field, nickname: field },
      { requiredKeys: [] },
    ),
    fc.record({ firstName: text, email: fc.emailAddress(), message: text, company: text }),
    fc.jsonValue(),
  );

  it('a contact request is taken, or refused with its reason', async () => {
    await fc.assert(
      fc.asyncProperty(body, headerValue, fc.boolean(), async (given, key, hasKey) => {
        const answer = await send(website.publicUrl, '/api/contact', {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            origin: 'https://site.example',
            ...(hasKey ? { 'idempotency-key': key } : {}),
          },
          body: JSON.stringify(given),
        });
        expect([202, 400, 409]).toContain(answer.status);
        expect(JSON.parse(answer.text)).toEqual(
          answer.status === 202
            ? { message: expect.stringMatching(/./), id: expect.stringMatching(/^[0-9a-f-]{36}$/) }
            : expect.objectContaining({ status: answer.status, detail: expect.stringMatching(/./) }),
        );
      }),
      { numRuns },
    );
  });

  it('a form is taken, or answered with a page that says why not', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.oneof(fc.constantFrom('firstName', 'email', 'message'), piece), piece)),
        async (fields) => {
          const answer = await send(website.publicUrl, '/contact', {
            method: 'POST',
            headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://site.example' },
            body: fields.map(([name, value]) => `${name}=${value}`).join('&'),
          });
          expect([303, 400]).toContain(answer.status);
          // What no browser sends, such as a NUL, gets the refusal of a program.
          const isPage = answer.headers['content-type']?.startsWith('text/html') ?? false;
          if (answer.status === 400) {
            expect(answer.text).toContain(isPage ? '<h1>Not sent</h1>' : '"title":"Bad Request"');
          }
        },
      ),
      { numRuns },
    );
  });
});
