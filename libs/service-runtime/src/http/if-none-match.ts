import type { IncomingHttpHeaders } from 'node:http';
import fresh from 'fresh';

/**
 * Whether the client already has the response with this ETag (RFC 9110, section 13.1.2). Ignores `Cache-Control: no-cache`,
 * which fetch adds to a conditional request and which addresses caches in between.
 */
export function matchesEtag(headers: IncomingHttpHeaders, etag: string): boolean {
  const ifNoneMatch = headers['if-none-match'];
  return ifNoneMatch !== undefined && fresh({ 'if-none-match': ifNoneMatch }, { etag });
}
