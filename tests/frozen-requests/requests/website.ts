import type { Scenario } from '../recorder.ts';

/** Pages that the site map does not list, and paths that do not exist. */
const OTHER_PATHS = [
  ...[
    '/agents.md',
    '/llms.txt',
    '/llms-full.txt',
    '/openapi.json',
    '/sitemap.xml',
    '/feed.xml',
    '/robots.txt',
  ],
  ...['/docs', '/docs.md', '/developers', '/favicon.ico', '/.well-known/security.txt'],
  ...['/unknown', '/unknown.md', '/blog/unknown', '/blog/unknown.md', '/api/unknown', '/%2e%2e/etc/passwd'],
  ...['/index.md', '/index.html', '//', '/blog/', '/blog?page=2', '/.md'],
];
const ACCEPTS = [
  'text/markdown',
  'text/html',
  'text/markdown;q=0.5, text/html',
  'text/html;q=0.1, text/markdown;q=0.9',
  'text/*',
  '*/*',
  'application/json',
  'image/png',
  'text/markdown;q=0',
  'text/plain, text/markdown;variant=GFM',
];
const POST_QUERIES = [
  ...['', '?limit=1', '?limit=1&offset=1', '?limit=100', '?offset=100', '?featured=true', '?featured=false'],
  ...['?category=operations', '?category=Security', '?tag=xid', '?tag=paging&featured=true', '?tag=unknown'],
  ...[
    '?limit=0',
    '?limit=101',
    '?limit=x',
    '?limit=',
    '?limit=1&limit=2',
    '?offset=-1',
    '?offset=99999999999999999999',
  ],
  ...['?featured=yes', '?unknown=1', '?tag=%ff', '?tag=%00', '?category[]=x'],
];
const CONTACT = { firstName: 'Ada', email: 'ada@acme.example', company: 'Acme', message: 'A demo, please.' };
const CONTACT_BODIES: Record<string, unknown> = {
  complete: CONTACT,
  'without company': { ...CONTACT, company: undefined },
  'without email': { ...CONTACT, email: undefined },
  'without message': { ...CONTACT, message: undefined },
  'empty name': { ...CONTACT, firstName: '' },
  'long name': { ...CONTACT, firstName: 'a'.repeat(101) },
  'invalid email': { ...CONTACT, email: 'ada' },
  'long message': { ...CONTACT, message: 'a'.repeat(5_001) },
  'unknown field': { ...CONTACT, phone: '1' },
  'number as name': { ...CONTACT, firstName: 1 },
  array: [CONTACT],
  null: null,
};

/** Requests every page in every form, the JSON endpoints and the contact form. */
export const websiteScenario: Scenario = async (_deployment, recorder) => {
  const get = (target: string, headers: Record<string, string> = {}, method = 'GET') => {
    const shown = Object.entries(headers).map(([name, value]) => ` ${name}: ${value}`);
    return recorder.send(`${method} ${target}${shown.join('')}`, 'website-api', { method, target, headers });
  };

  const { body: siteMap } = await get('/sitemap.xml', { accept: '*/*' });
  const pages = [...siteMap.matchAll(/<loc>https:\/\/www\.example([^<]*)<\/loc>/g)].map(
    ([, path]) => path || '/',
  );
  for (const page of [...pages, ...OTHER_PATHS]) {
    if (!recorder.isIncluded()) continue;
    const { headers } = await get(page);
    await get(page, { accept: 'text/markdown' });
    await get(page, { accept: 'text/html' }, 'HEAD');
    await get(page, {}, 'POST');
    const tag = headers['etag'];
    if (typeof tag === 'string')
      await recorder.send(`GET ${page} if-none-match same`, 'website-api', {
        target: page,
        headers: { 'if-none-match': tag },
      });
    if (!page.endsWith('.md') && !page.includes('?')) await get(`${page === '/' ? '/index' : page}.md`);
  }
  for (const page of ['/', '/blog', '/developers', '/unknown'])
    for (const accept of ACCEPTS)
      if (recorder.isIncluded()) await get(page, { accept, 'x-case': 'negotiation' });
  for (const encoding of ['gzip', 'br', 'gzip, br', 'br;q=0, gzip', 'identity', 'zstd', '*'])
    for (const page of ['/', '/llms-full.txt', '/api/posts'])
      if (recorder.isIncluded()) await get(page, { 'accept-encoding': encoding });

  for (const path of ['/api/site', '/api/categories', '/api/tags', '/api/site/', '/api/site?x=1'])
    for (const origin of ['https://console.example', 'https://elsewhere.example'])
      if (recorder.isIncluded()) await get(path, { origin });
  for (const query of POST_QUERIES) if (recorder.isIncluded()) await get(`/api/posts${query}`);
  for (const slug of ['frozen-table', 'frozen-code', 'frozen-plain', 'FROZEN-PLAIN', 'unknown', 'a%2Fb'])
    if (recorder.isIncluded()) await get(`/api/posts/${slug}`);
  for (const path of ['/api/posts', '/api/contact', '/'])
    for (const origin of ['https://console.example', 'https://elsewhere.example'])
      if (recorder.isIncluded())
        await get(path, { origin, 'access-control-request-method': 'POST' }, 'OPTIONS');

  const post = (label: string, headers: Record<string, string>, body: string) =>
    recorder.send(`POST /api/contact ${label}`, 'website-api', {
      method: 'POST',
      target: '/api/contact',
      headers,
      body,
    });
  const json = { 'content-type': 'application/json' };
  const fromPage = { ...json, origin: 'https://console.example' };
  for (const [label, body] of Object.entries(CONTACT_BODIES))
    await post(label, fromPage, JSON.stringify(body));
  await post('malformed', fromPage, '{"firstName":');
  await post('form', { ...fromPage, 'content-type': 'application/x-www-form-urlencoded' }, 'firstName=Ada');
  await post('too large', fromPage, JSON.stringify({ ...CONTACT, message: 'a'.repeat(70_000) }));
  await post('without origin and key', json, JSON.stringify(CONTACT));
  await post('of another origin', { ...json, origin: 'https://evil.example' }, JSON.stringify(CONTACT));
  await post('with an unknown key', { ...json, 'x-api-key': crypto.randomUUID() }, JSON.stringify(CONTACT));
  await post('with a malformed key', { ...json, 'x-api-key': 'x' }, JSON.stringify(CONTACT));
  const repeatable = { ...fromPage, 'idempotency-key': 'frozen-1' };
  await post('with an idempotency key', repeatable, JSON.stringify(CONTACT));
  await post('repeated', repeatable, JSON.stringify(CONTACT));
  await post('with the key of another body', repeatable, JSON.stringify({ ...CONTACT, firstName: 'Eve' }));
};
