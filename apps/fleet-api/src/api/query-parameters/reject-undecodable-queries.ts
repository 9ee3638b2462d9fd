import { DomainError, fleetErrors } from '@gpu-observatory/error-envelopes';
import type { FastifyInstance } from 'fastify';

/**
 * Refuses a query string whose escapes are no UTF-8, such as `%`, `%zz` or a lone surrogate: the parser would take the
 * whole value as it stands, escapes and all, and find nothing by it.
 */
export function refuseUndecodableQueries(server: FastifyInstance): void {
  server.addHook('onRequest', ({ url }, _reply, done) => {
    const name = url.includes('%') ? undecodableIn(url) : undefined;
    if (name === undefined) return done();
    const message = `${name} has an escape that is no UTF-8; write a percent sign as %25.`;
    done(new DomainError(fleetErrors.invalidQuery, message));
  });
}

/** The name of the first parameter that cannot be decoded. */
function undecodableIn(url: string): string | undefined {
  const [, ...query] = url.split('?');
  const parameter = query
    .join('?')
    .split('&')
    .find((text) => !isDecodable(text));
  return parameter?.split('=')[0];
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
