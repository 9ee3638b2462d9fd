import type { IncomingHttpHeaders } from 'node:http';
import { pipeline, Readable, type Transform } from 'node:stream';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { FastifyInstance, FastifyReply } from 'fastify';
import fresh from 'fresh';
import { type Coding, preferredCoding } from '../negotiation/preferences.ts';

/** Smaller bodies do not gain from compression. */
const MIN_BYTES = 1_024;
const COMPRESSIBLE = /^text\/|[/+](?:json|x-ndjson|xml|javascript)\b/;

/** The defaults take 2x to 30x as long for 10 % fewer bytes, and some responses are compressed on each request. */
const BROTLI = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } };
const ZSTD = { params: { [zlib.constants.ZSTD_c_compressionLevel]: 3 } };

type Compressed = Exclude<Coding, 'identity'>;

const compress: Record<Compressed, (body: Buffer) => Promise<Buffer>> = {
  br: (body) => promisify(zlib.brotliCompress)(body, BROTLI),
  zstd: (body) => promisify(zlib.zstdCompress)(body, ZSTD),
  gzip: (body) => promisify(zlib.gzip)(body),
};

const encoders: Record<Compressed, () => Transform> = {
  br: () => zlib.createBrotliCompress(BROTLI),
  zstd: () => zlib.createZstdCompress(ZSTD),
  gzip: () => zlib.createGzip(),
};

/** The codings of a body, for as long as a cache keeps it. */
const variants = new WeakMap<Buffer, Map<Coding, Promise<Buffer>>>();

/**
 * Compresses bodies from 1 KB in the coding that the client prefers (RFC 9110, section 12.5.3), with an entity tag per coding. A
 * body that is sent again, such as a cached one, is compressed once. Responses with `no-store` may contain secrets, whose
 * length compression would reveal, so they are sent as they are.
 */
export function compressResponses(server: FastifyInstance): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode === 304) addVary(reply, 'Accept-Encoding');
    const isLong = Buffer.isBuffer(payload) ? payload.length >= MIN_BYTES : payload instanceof Readable;
    if (!isLong || !isCompressible(reply)) return done(null, payload);
    addVary(reply, 'Accept-Encoding');
    const coding = preferredCoding(request.headers);
    if (coding === 'identity') return done(null, payload);
    if (payload instanceof Readable) {
      setCoding(reply, coding);
      const encoder = encoders[coding]();
      // A failing source destroys the encoder, which cuts the response.
      pipeline(payload, encoder, () => undefined);
      return done(null, encoder);
    }
    compressedOnce(payload as Buffer, coding).then((body) => {
      setCoding(reply, coding);
      done(null, body);
    }, done);
  });
}

/**
 * Returns the entity tag in `If-None-Match` that the current response has, plain or in the coding that the client prefers; null
 * when the client does not have the response (RFC 9110, section 13.1.2). Ignores `Cache-Control: no-cache`, which fetch adds to a
 * conditional request and which addresses caches in between.
 *
 * @param etag without a coding
 */
export function matchingEtag(headers: IncomingHttpHeaders, etag: string): string | null {
  const ifNoneMatch = headers['if-none-match'];
  if (ifNoneMatch === undefined) return null;
  const etags = [codedEtag(etag, preferredCoding(headers)), etag];
  return etags.find((tag) => fresh({ 'if-none-match': ifNoneMatch }, { etag: tag })) ?? null;
}

function codedEtag(etag: string, coding: Coding): string {
  return coding === 'identity' ? etag : `${etag.slice(0, -1)}-${coding}"`;
}

function isCompressible(reply: FastifyReply): boolean {
  return (
    reply.getHeader('content-encoding') === undefined &&
    COMPRESSIBLE.test(String(reply.getHeader('content-type'))) &&
    !String(reply.getHeader('cache-control')).includes('no-store')
  );
}

function compressedOnce(body: Buffer, coding: Compressed): Promise<Buffer> {
  let codings = variants.get(body);
  if (codings === undefined) variants.set(body, (codings = new Map()));
  let compressed = codings.get(coding);
  if (compressed === undefined) codings.set(coding, (compressed = compress[coding](body)));
  return compressed;
}

function setCoding(reply: FastifyReply, coding: Compressed): void {
  const etag = reply.getHeader('etag');
  if (typeof etag === 'string') void reply.header('etag', codedEtag(etag, coding));
  void reply.header('content-encoding', coding).removeHeader('content-length');
}

/** Adds a request header to `Vary`. Caches must not give the response to clients that send another value. */
export function addVary(reply: FastifyReply, header: string): void {
  const vary = reply.getHeader('vary');
  const names = vary === undefined ? [] : String(vary).split(', ');
  if (!names.includes(header)) void reply.header('vary', [...names, header].join(', '));
}
