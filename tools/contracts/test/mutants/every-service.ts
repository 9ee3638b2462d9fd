import { jsonBody } from '../../src/deployment/http-exchange.ts';
import {
  changeBody,
  changeResponse,
  ignoreHeader,
  type MutantsOfRule,
  redirect,
  rewritePath,
  setHeader,
  setStatus,
} from './mutant.ts';

const GET = /^GET /;

/** Mutants of the rules of all services. */
export const everyServiceMutants: Record<string, MutantsOfRule> = {
  'document-is-served': {
    'serves a document without an operation': changeBody<{ paths: object }>(/openapi\.json/, (document) => {
      document.paths = Object.fromEntries(Object.entries(document.paths).slice(1));
    }),
    'serves a document with a changed operation': changeBody<{ paths: Record<string, { get?: object }> }>(
      /openapi\.json/,
      ({ paths }) => {
        const changed = Object.values(paths).find(({ get }) => get);
        changed!.get = { ...changed!.get, operationId: 'renamed' };
      },
    ),
  },
  'document-page-is-served': {
    'serves markdown only at /docs.md': ignoreHeader(/\/docs$/, 'accept'),
    'serves other markdown at /docs.md': changeResponse(/\/docs\.md$/, (response) => {
      response.text += '.';
    }),
    'serves a page without the operations': changeResponse(/\/docs/, (response) => {
      response.text = response.text.slice(0, 100);
    }),
  },
  'request-id-echoed': {
    'replaces a valid id': ignoreHeader(GET, 'x-request-id'),
    'echoes an invalid id': changeResponse(GET, ({ headers }, request) => {
      headers['x-request-id'] = String(request.headers['x-request-id'] ?? 'generated');
    }),
    'sends no id unless the client sent one': changeResponse(GET, ({ headers }, request) => {
      if (request.headers['x-request-id'] === undefined) delete headers['x-request-id'];
    }),
  },
  'trailing-slash-is-ignored': {
    'returns 404 for a path with a slash': setStatus(/\/$/, 404),
    'returns another body for a path with a slash': changeResponse(/\/$/, (response) => {
      const body = jsonBody(response) as object;
      response.text = JSON.stringify(
        Object.fromEntries(Object.keys(body).map((name) => [name, ['another']])),
      );
    }),
  },
  'internal-paths-are-not-public': {
    'serves its metrics publicly': setStatus(/\/metrics$/, 200),
  },
  'rate-limit-headers': {
    'sends the headers with one operation only': changeResponse(
      /^POST .*\/(refresh|contact)/,
      ({ headers }) => {
        delete headers['ratelimit-remaining'];
      },
    ),
    'sends a remainder above the limit': changeResponse(/^POST /, ({ headers }) => {
      if ('ratelimit-limit' in headers) headers['ratelimit-remaining'] = '1000000';
    }),
  },
  'cors-for-other-origins': {
    'allows every origin': changeResponse(/./, ({ headers }, request) => {
      headers['access-control-allow-origin'] = String(request.headers.origin);
    }),
  },
  'cors-for-allowed-origin': {
    'allows no origin': setHeader(/./, 'access-control-allow-origin', undefined),
    'allows no credentials': setHeader(/./, 'access-control-allow-credentials', undefined),
    'does not vary by origin': setHeader(/./, 'vary', 'accept-encoding'),
    'does not allow caching of a preflight': setHeader(/^OPTIONS/, 'access-control-max-age', undefined),
  },
  'unknown-path-and-method': {
    'serves PUT like GET': redirect(/^PUT/, () => ({ method: 'GET' })),
    'returns another body': changeResponse(/no.such.path/, (response) => {
      response.text = JSON.stringify({ title: 'Not Found' });
    }),
  },
  'invalid-tokens-rejected': {
    'accepts requests without a token': setStatus(/./, 200),
    'returns errors in another format': changeResponse(/./, (response) => {
      if (response.status === 401) response.text = '{}';
    }),
  },
  'no-token-in-query': {
    'accepts a token in the query': async (request, send) => {
      const token = /[?&]access_token=([^&]+)/.exec(request.path)?.[1];
      if (token === undefined) return send(request);
      const authorization = `Bearer ${token}`;
      return rewritePath(/[?&]access_token=[^&]+/)(
        { ...request, headers: { ...request.headers, authorization } },
        send,
      );
    },
  },
};
