import type { IncomingHttpHeaders } from 'node:http';
import fresh from 'fresh';

/**
 * Whether the reader has the very answer of this tag. `If-None-Match` alone says so: a script's fetch adds
 * `Cache-Control: no-cache` to it, which is meant for caches on the way (RFC 9110, section 13.1.2).
 */
export function matchesEtag(headers: IncomingHttpHeaders, etag: string): boolean {
  const ifNoneMatch = headers['if-none-match'];
  return ifNoneMatch !== undefined && fresh({ 'if-none-match': ifNoneMatch }, { etag });
}
