import fc from 'fast-check';
import { send } from './support/http.ts';
import { richContent } from './support/rich-content.ts';
import { useWebsite } from './support/website.ts';

const NIGHTLY_SEED = process.env['NIGHTLY_SEED'];
/** Requests per test. */
const numRuns = NIGHTLY_SEED ? 2_000 : 20;
const seed = Number(NIGHTLY_SEED ?? Date.now() % 1_000_000);

const site = useWebsite(richContent, { RATE_LIMITS: 'false' });

/** Arbitrary text, and input that is difficult to parse. */
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
/** A path segment as typed or percent-encoded. */
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
      fc.constantFrom('/blog/', '/blog/tag/', '/blog/category/', '/media/', '/assets/', '/docs/', '/'),
      piece,
    )
    .map(([folder, name]) => folder + name),
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

describe('arbitrary requests', () => {
  it('GET never causes a server error', async () => {
    await fc.assert(
      fc.asyncProperty(paths, query, headers, async (path, search, requestHeaders) => {
        const response = await send(site.url, path + search, { headers: requestHeaders });
        expect([200, 304, 400, 404, 431]).toContain(response.status);
        expect(response.headers['x-request-id']).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
        expect(response.headers['x-content-type-options']).toBe('nosniff');
        if (response.status === 400) {
          expect(JSON.parse(response.text)).toEqual({
            type: 'about:blank',
            title: 'Bad Request',
            status: 400,
            detail: expect.stringMatching(/./),
          });
        }
      }),
      { numRuns, seed },
    );
  });

  it('POST /contact accepts a form or shows a page with the reason', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.oneof(fc.constantFrom('firstName', 'email', 'message'), piece), piece)),
        async (fields) => {
          const response = await send(site.url, '/contact', {
            method: 'POST',
            headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://site.example' },
            body: fields.map(([name, value]) => `${name}=${value}`).join('&'),
          });
          expect([303, 400]).toContain(response.status);
          // Input that no browser sends, such as NUL, gets a problem document.
          const isPage = response.headers['content-type']?.startsWith('text/html') ?? false;
          if (response.status === 400) {
            expect(response.text).toContain(isPage ? '<h1>Not sent</h1>' : '"title":"Bad Request"');
          }
        },
      ),
      { numRuns, seed },
    );
  });
});
