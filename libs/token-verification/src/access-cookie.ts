import type { ErrorKind } from '@gpu-observatory/error-envelopes';
import type { FastifyRequest } from 'fastify';

/** Settings for reading the access token from a cookie (docs/account-service.md#cookie-mode). */
export interface AccessCookie {
  /** As `accessCookieName` says. */
  name: string;
  /** The browser origins whose pages may write with the cookie. */
  allowedOrigins: readonly string[];
  /** What a page of another origin is told. */
  forbidden: ErrorKind;
}

/**
 * What the cookie is called: `__Host-` on the account service's own host alone, which no sibling host can plant, or
 * `__Secure-` for all hosts of a parent domain.
 *
 * @param domain the parent domain, if the deployment shares its session among hosts
 */
export function accessCookieName(domain: string | undefined): string {
  return domain === undefined ? '__Host-access' : '__Secure-access';
}

/**
 * Every value that a request gives a cookie, in the order of the header. More than one means that somebody planted
 * another, and which of them counts is not for us to guess.
 *
 * Blanks and tabs alone are no part of a name (RFC 6265, section 5.2). `trim` would also take away a no-break space, and
 * a browser lets any sibling host plant a cookie whose name begins with that, as it is not `__Host-` to it.
 */
export function cookieValues({ headers }: Pick<FastifyRequest, 'headers'>, name: string): string[] {
  return (headers.cookie ?? '').split(';').flatMap((pair) => {
    const at = pair.indexOf('=');
    return at > 0 && withoutBlanks(pair.slice(0, at)) === name ? [withoutBlanks(pair.slice(at + 1))] : [];
  });
}

function withoutBlanks(text: string): string {
  return text.replace(/^[ \t]+|[ \t]+$/g, '');
}
