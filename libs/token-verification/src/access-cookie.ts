import type { ErrorKind } from '@gpu-observatory/service-runtime/process';
import type { FastifyRequest } from 'fastify';

/** Settings of a service that accepts the access token in a cookie (docs/account-service.md#cookie-mode). */
export interface AccessCookie {
  /** The result of `accessCookieName`. */
  name: string;
  /** Browser origins whose pages may send writes with the cookie. */
  allowedOrigins: readonly string[];
  /** Error for a write from any other origin. */
  forbidden: ErrorKind;
}

/**
 * Returns the name of the access cookie: with `__Host-` for a single host, so that a sibling host cannot set it, or with
 * `__Secure-` for all hosts of a parent domain.
 *
 * @param domain the parent domain, if hosts share sessions
 */
export function accessCookieName(domain: string | undefined): string {
  return domain === undefined ? '__Host-access' : '__Secure-access';
}

/**
 * Returns every value of a cookie in a request, in the order of the header. More than one value means that another host
 * set a cookie of the same name; the caller must then reject the request.
 *
 * Trims spaces and tabs only (RFC 6265, section 5.2). `trim` would also remove a no-break space, and a browser lets any
 * sibling host set a cookie whose name starts with one, because that is not the `__Host-` prefix.
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
