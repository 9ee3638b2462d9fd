import { PAGE_VARY, PUBLIC } from '@gpu-observatory/service-runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Result of a handler whose page has another path. */
export class MovedPage {
  constructor(readonly path: string) {}
}

/** Redirects permanently to another path of the site, with the query of the request. */
export function startRedirect(request: FastifyRequest, reply: FastifyReply, path: string): undefined {
  const query = request.url.includes('?') ? request.url.slice(request.url.indexOf('?')) : '';
  void reply.status(301).headers({ location: path + query, vary: PAGE_VARY, 'cache-control': PUBLIC });
}
