import { randomUUID } from 'node:crypto';
import { type IncomingMessage, STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorEnvelope } from '../errors/envelopes.ts';
import type { Logger } from '../logging/logger.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

/** The error of Node's event `clientError` (https://nodejs.org/api/http.html#event-clienterror). */
type ClientError = Error & { code?: string; rawPacket?: unknown };

/**
 * Handles requests that Node rejects before Fastify sees them, in the service's error format: invalid HTTP, headers over the
 * limit, a request that does not arrive in time, an unknown `Expect`.
 *
 * @param cors returns the CORS headers for an origin
 */
export function connectionErrorHandlers(
  envelope: ErrorEnvelope,
  logger: Logger,
  cors: (origin: string | undefined) => Record<string, string>,
) {
  const lastRequests = new WeakMap<Socket, IncomingMessage>();
  const errorResponse = (status: number, message: string, origin: string | undefined) => {
    const kind = envelope.kindForStatus(status);
    return {
      status: kind.status,
      body: JSON.stringify(envelope.body(kind, message)),
      headers: {
        ...SECURITY_HEADERS,
        ...cors(origin),
        'content-type': envelope.contentType,
        'cache-control': 'no-store',
        'x-request-id': randomUUID(),
      },
    };
  };
  return {
    /** For the Fastify option of this name. */
    clientErrorHandler(error: ClientError, socket: Socket): void {
      if (error.code === 'ECONNRESET' || socket.destroyed) return;
      logger.debug({ err: error }, 'rejected a connection');
      if (socket.writable) {
        const request = lastRequests.get(socket);
        const origin = request?.complete === false ? request.headers.origin : originIn(error.rawPacket);
        const { status, body, headers } = errorResponse(...describeError(error.code), origin);
        const lines = Object.entries({
          ...headers,
          'content-length': Buffer.byteLength(body),
          connection: 'close',
        });
        const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
        socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${body}`);
      }
      socket.destroySoon();
    },

    /** For the Node event of this name: records the request, whose body may still be arriving. */
    request(request: IncomingMessage): void {
      lastRequests.set(request.socket, request);
    },

    /** For the Node event of this name, whose default is a 417 without a body. */
    checkExpectation(request: IncomingMessage, response: ServerResponse): void {
      const { status, body, headers } = errorResponse(
        417,
        'The Expect header accepts only 100-continue.',
        request.headers.origin,
      );
      response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
    },
  };
}

/**
 * Returns the value of the last `Origin` line of a packet. The header is unknown if it came in an earlier packet or has not
 * arrived. A line of a body does no harm: browsers compare the origin of the response with that of the page.
 */
function originIn(packet: unknown): string | undefined {
  const text = Buffer.isBuffer(packet) ? packet.toString('latin1') : '';
  const lines = text.matchAll(/^origin:[ \t]*(\S+)[ \t]*$/gim);
  return [...lines].at(-1)?.[1];
}

function describeError(code: string | undefined): [status: number, message: string] {
  if (code === 'HPE_HEADER_OVERFLOW') return [431, 'The URL and headers together exceed 16 KiB.'];
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return [408, 'The request was not received completely within 15 s.'];
  return [400, 'The request is not well-formed HTTP/1.1.'];
}
