import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fresh from 'fresh';
import { matchingEtag } from '../http/compression.ts';
import type { Representation } from './representation.ts';

/** `Cache-Control` of public content: fresh for 1 min, then stale for up to 10 min while a cache revalidates. */
export const PUBLIC = 'public, max-age=60, stale-while-revalidate=600';
/** `Cache-Control` of negotiated markdown: shared caches must not store it, because some ignore `Vary`. */
export const PRIVATE = 'private, max-age=60, stale-while-revalidate=600';
/** `Cache-Control` of a URL whose content never changes. */
export const IMMUTABLE = 'public, max-age=31536000, immutable';

/** `Vary` of every negotiated response: a page, its markdown twin and the markdown 404. */
export const PAGE_VARY = 'Accept, Accept-Encoding';

interface SendOptions {
  status?: number;
  cacheControl?: string;
  /** Names of the request headers that the response depends on. */
  vary?: string;
}

/** Sends a representation, or 304 if `If-None-Match` matches its entity tag. */
export function sendRepresentation(
  request: FastifyRequest,
  reply: FastifyReply,
  representation: Representation,
  options?: SendOptions,
): void {
  void reply.send(startResponse(request, reply, representation, options));
}

/** Sets the status and headers with which `sendRepresentation` responds, and returns the body. */
export function startResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  { contentType, entityTag, bytes, lastModified }: Representation,
  { status = 200, cacheControl = PUBLIC, vary = 'Accept-Encoding' }: SendOptions = {},
): Buffer | undefined {
  const matching = status === 200 ? matchingEtag(request.headers, entityTag) : null;
  void reply.headers({ etag: matching ?? entityTag, vary, 'cache-control': cacheControl });
  if (lastModified) void reply.header('last-modified', lastModified.toUTCString());
  if (matching !== null || (lastModified && isUnmodifiedSince(request.headers, lastModified))) {
    void reply.status(304);
    return undefined;
  }
  void reply.status(status);
  void reply.type(contentType);
  return bytes;
}

/** Evaluates `If-Modified-Since`, which counts only without an entity tag (RFC 9110, section 13.1.3). */
function isUnmodifiedSince(headers: IncomingHttpHeaders, lastModified: Date): boolean {
  const since = headers['if-modified-since'];
  if (since === undefined || headers['if-none-match'] !== undefined) return false;
  return fresh({ 'if-modified-since': since }, { 'last-modified': lastModified.toUTCString() });
}
