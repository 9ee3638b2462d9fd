import type { PostList, Schemas } from '../../src/rules/website/requests.ts';
import {
  changeBody,
  changeResponse,
  ignoreHeader,
  type Mutant,
  type MutantsOfRule,
  redirect,
  rewritePath,
  setHeader,
  setStatus,
} from './mutant.ts';

const POSTS = /^GET \/api\/posts(\?|$)/;
const POST = /^GET \/api\/posts\/[^?]+$/;
const CONTACT = /^POST \/api\/contact/;
const PAGE = /^GET \/(blog|developers)?$/;
const UNKNOWN_KEY_RESPONSE = { status: 202, text: '{"message":"","id":""}' };

const posts = (change: (list: PostList) => unknown, matching = POSTS): Mutant =>
  changeBody<PostList>(matching, (list) => void change(list));
const asAnotherStatus = (matching: RegExp, from: number, status: number): Mutant =>
  changeResponse(matching, (response) => {
    if (response.status === from) response.status = status;
  });

export const websiteMutants: Record<string, MutantsOfRule> = {
  'resources-published': {
    'serves the feed as HTML': setHeader(/feed\.xml/, 'content-type', 'text/html'),
    'serves an empty index': changeResponse(/llms\.txt/, (response) => {
      response.text = '';
    }),
    'has no sitemap': setStatus(/sitemap\.xml/, 404),
  },
  'feed-sitemap-and-llms-list-every-post': Object.fromEntries(
    ['feed.xml', 'sitemap.xml', 'llms-full.txt'].map((file) => [
      `lists another slug in ${file}`,
      changeResponse(new RegExp(file), (response) => {
        response.text = response.text.replace(/(\/blog\/(?!page|tag|category)[\w-]+)/g, '$1-2');
      }),
    ]),
  ),
  'posts-newest-first-without-body': {
    'lists the oldest first': posts((list) => list.posts.reverse()),
    'lists bodies': posts((list) => list.posts.forEach((post) => Object.assign(post, { body: '' }))),
    'lists a post of the future': posts(({ posts: [newest] }) => {
      newest!.published_at = '2999-01-01T00:00:00.000Z';
    }),
  },
  'single-post-has-body': {
    'returns no body': changeBody<{ post: Partial<Schemas['Post']> }>(POST, ({ post }) => {
      delete post.body;
    }),
    'returns another title': changeBody<Schemas['SinglePost']>(POST, ({ post }) => {
      post.title = 'another';
    }),
  },
  'posts-pagination': {
    'ignores the limit': redirect(/limit=(?!100)\d+/, ({ path }) => ({
      path: path.replace(/limit=\d+/, 'limit=100'),
    })),
    'returns more rows than the limit': async (request, send) => {
      const size = /limit=(?!100)(\d+)/.exec(request.path)?.[1];
      if (size === undefined) return send(request);
      return posts((list) => (list.limit = Number(size)))(
        { ...request, path: request.path.replace(/limit=\d+/, 'limit=100') },
        send,
      );
    },
    'ignores the offset': async (request, send) => {
      const offset = /offset=(\d+)/.exec(request.path)?.[1];
      return posts((list) => (list.offset = Number(offset ?? 0)))(
        { ...request, path: request.path.replace(/&?offset=\d+/, '') },
        send,
      );
    },
    'returns 10 posts by default': redirect(/posts$/, ({ path }) => ({ path: `${path}?limit=10` })),
  },
  'posts-filters': {
    'ignores the category': rewritePath(/&category=[^&]*/),
    'ignores featured': rewritePath(/&featured=[^&]*/),
    'returns nothing for featured': posts(
      (list) => Object.assign(list, { posts: [], total: 0 }),
      /featured=true/,
    ),
    'counts matches without listing them': posts((list) => (list.posts = []), /tag=/),
    'counts one post more per tag': changeBody<Schemas['TagList']>(/\/tags$/, ({ tags }) => {
      tags[0]!.post_count += 1;
    }),
  },
  'invalid-content-requests-rejected': {
    'ignores unknown parameters': rewritePath(/\?no_such_parameter=1/),
    'limits a large limit': redirect(/limit=101/, ({ path }) => ({ path: path.replace('101', '100') })),
    'returns errors as JSON': setHeader(/limit=0/, 'content-type', 'application/json'),
    'returns 200 for an unknown slug': setStatus(POST, 200),
  },
  'content-allows-any-origin': {
    'allows the site only': setHeader(/\/api\/site/, 'access-control-allow-origin', 'https://site.example'),
    'allows credentials': setHeader(/\/api\/tags/, 'access-control-allow-credentials', 'true'),
  },
  'markdown-negotiation': {
    'ignores Accept': ignoreHeader(PAGE, 'accept'),
    'ignores q-values': redirect(PAGE, ({ headers }) => ({
      headers: { ...headers, accept: String(headers['accept']).replace(/;q=[\d.]+/g, '') },
    })),
    'returns 406': changeResponse(PAGE, (response, { headers }) => {
      if (headers['accept'] === 'image/png') response.status = 406;
    }),
  },
  'markdown-twin-is-identical': {
    'has other bytes at the twin': changeResponse(/\.md$/, (response) => {
      response.text += '\n';
    }),
    'lets caches share negotiated markdown': setHeader(PAGE, 'cache-control', 'public, max-age=60'),
    'keeps the twin private': setHeader(/\.md$/, 'cache-control', 'private'),
  },
  'negotiated-responses-vary': {
    'does not vary a 404': changeResponse(/no-such-page/, ({ headers }) => {
      headers['vary'] = 'accept-encoding';
    }),
    'does not vary a 304': changeResponse(PAGE, ({ headers, status }) => {
      if (status === 304) headers['vary'] = 'accept-encoding';
    }),
    'has no ETag': setHeader(PAGE, 'etag', undefined),
    'ignores If-None-Match': ignoreHeader(PAGE, 'if-none-match'),
  },
  'unknown-path-returns-site-map': {
    'returns 200': asAnotherStatus(/no-such-page/, 404, 200),
    'returns JSON below /api': setHeader(/no-such-route/, 'content-type', 'application/json'),
    'returns text without links': changeResponse(/^PUT/, (response) => {
      response.text = 'Not found';
    }),
  },
  'content-caching': {
    'does not let caches store one route': setHeader(/\/api\/tags/, 'cache-control', 'no-store'),
    'has weak ETags': changeResponse(/feed\.xml/, ({ headers }) => {
      headers['etag'] = `W/${headers['etag']}`;
    }),
    'compares the first ETag only': redirect(/llms\.txt/, ({ headers }) => ({
      headers: {
        ...headers,
        ...('if-none-match' in headers && {
          'if-none-match': String(headers['if-none-match']).split(',')[0]!,
        }),
      },
    })),
    'returns 304 for any ETag': changeResponse(/\/api\/site/, (response, { headers }) => {
      if ('if-none-match' in headers) Object.assign(response, { status: 304, text: '' });
    }),
  },
  'content-compression': {
    'does not compress': ignoreHeader(/llms-full/, 'accept-encoding'),
    'compresses with one encoding': redirect(/llms-full/, ({ headers }) => ({
      headers: { ...headers, ...('accept-encoding' in headers && { 'accept-encoding': 'gzip' }) },
    })),
    'has one ETag for all encodings': setHeader(/llms-full/, 'etag', '"one"'),
  },
  'contact-requires-key-or-origin': {
    'accepts a request without both': asAnotherStatus(CONTACT, 401, 202),
    'accepts any origin': asAnotherStatus(CONTACT, 403, 202),
  },
  'contact-rejects-unknown-key': {
    'accepts any UUID': changeResponse(CONTACT, (response, { headers }) => {
      if (headers['x-api-key'] !== 'nonsense') Object.assign(response, UNKNOWN_KEY_RESPONSE);
    }),
  },
  'contact-rejects-invalid-bodies': {
    'ignores unknown fields': redirect(CONTACT, ({ body }) => ({
      body: String(body).replace(',"phone":"1"', ''),
    })),
    'cuts long texts': redirect(CONTACT, ({ body }) => ({ body: String(body).replace(/x{5001}/, 'x') })),
  },
  'contact-is-idempotent': {
    'ignores the key': ignoreHeader(CONTACT, 'idempotency-key'),
    'returns one receipt for all': changeBody<Schemas['ContactReceipt']>(CONTACT, (receipt) => {
      receipt.id = 'one';
    }),
    'returns the receipt for another body': asAnotherStatus(CONTACT, 409, 202),
  },
};
