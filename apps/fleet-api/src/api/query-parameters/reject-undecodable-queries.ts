import { DomainError, echo, fleetErrors } from '@gpu-observatory/service-runtime/process';
import type { FastifyInstance } from 'fastify';

/**
 * Rejects query strings with escapes that are not UTF-8, such as `%`, `%zz` or a lone surrogate. The parser would keep
 * the whole value undecoded. See docs/services.md#query-strings.
 */
export function rejectUndecodableQueries(server: FastifyInstance): void {
  server.addHook('onRequest', ({ url }, _reply, done) => {
    const name = url.includes('%') ? undecodableParameter(url) : undefined;
    if (name === undefined) return done();
    const message = `${echo(name)} contains an escape that is not UTF-8; encode a percent sign as %25.`;
    done(new DomainError(fleetErrors.invalidQuery, message));
  });
}

/** Returns the name of the first parameter that cannot be decoded; undefined if all can be. */
function undecodableParameter(url: string): string | undefined {
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
