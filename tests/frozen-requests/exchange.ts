import { createHash } from 'node:crypto';
import { type IncomingMessage, request as sendHttp } from 'node:http';
import { isUtf8 } from 'node:buffer';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

export interface FrozenRequest {
  method?: string;
  /** Request target, sent as it is. */
  target: string;
  headers?: Record<string, string>;
  body?: string;
}

/** What is compared of a response. */
export interface FrozenResponse {
  status: number;
  headers: Record<string, string | string[]>;
  body: string;
}

/** Headers of the connection, and the length of bodies, which Node's client checks. */
const IGNORED_HEADERS = ['date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length'];

/** Sends a request without changing it, and reads the whole response. */
export async function exchange(baseUrl: string, request: FrozenRequest): Promise<FrozenResponse> {
  const { method = 'GET', target: path, headers = {}, body } = request;
  const { hostname, port } = new URL(baseUrl);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const message = sendHttp({
      hostname,
      port,
      method,
      path,
      headers: {
        'x-request-id': 'frozen',
        ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
        ...headers,
      },
    });
    message.on('response', resolve).on('error', reject).end(body);
  });
  const bytes = decode(await buffer(response), response.headers['content-encoding']);
  return {
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(
      Object.entries(response.headersDistinct)
        .filter(([name]) => !IGNORED_HEADERS.includes(name))
        .map(([name, values = []]) => [name, values.length === 1 ? values[0]! : values])
        .sort(([one], [other]) => (one! < other! ? -1 : 1)),
    ),
    body: isUtf8(bytes) ? bytes.toString() : `sha256 ${createHash('sha256').update(bytes).digest('hex')}`,
  };
}

function decode(bytes: Buffer, encoding: string | undefined): Buffer {
  if (bytes.length === 0) return bytes;
  if (encoding === 'br') return brotliDecompressSync(bytes);
  return encoding === 'gzip' ? gunzipSync(bytes) : bytes;
}
