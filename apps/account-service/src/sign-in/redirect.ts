import type { FastifyReply } from 'fastify';

/** Redirects without caching, and without a Referer header for the next site. */
export function redirect(reply: FastifyReply, location: string): void {
  void reply
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .redirect(location, 302);
}
