import type { Server } from 'node:http';
import { interceptRequests } from './intercept-requests.ts';

/**
 * Replaces `%3A` in the path of each request with a colon, which a path may contain (RFC 3986, section 3.3). Many clients
 * escape it. The router would not match `/alerts%3Asummary`, and caches and entity tags would treat it as another URL.
 */
export function decodeColonsInPath(server: Server): void {
  interceptRequests(server, (request, _response, next) => {
    const [path = ''] = (request.url ?? '').split('?', 1);
    if (/%3a/i.test(path)) request.url = path.replaceAll(/%3a/gi, ':') + request.url?.slice(path.length);
    next();
  });
}
