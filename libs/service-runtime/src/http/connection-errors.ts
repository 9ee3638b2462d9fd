import { randomUUID } from 'node:crypto';
import { type IncomingMessage, STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorEnvelope } from '@gpu-observatory/error-envelopes';
import type { Logger } from '../logging/logger.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

/**
 * Handles requests that Node rejects before Fastify sees them, in the service's error format: invalid HTTP, headers over the
 * limit, a request that does not arrive in time, an unknown `Expect`.
 */
export function connectionErrorHandlers(envelope: ErrorEnvelope, logger: Logger) {
  const errorResponse = (status: number, message: string) => {
    const kind = envelope.kindForStatus(status);
    return {
      status: kind.status,
      body: JSON.stringify(envelope.body(kind, message)),
      headers: {
        ...SECURITY_HEADERS,
        'content-type': envelope.contentType,
        'cache-control': 'no-store',
        'x-request-id': randomUUID(),
      },
    };
  };
  return {
    /** For the Fastify option of this name. */
    clientErrorHandler(error: Error & { code?: string }, socket: Socket): void {
      if (error.code === 'ECONNRESET' || socket.destroyed) return;
      logger.debug({ err: error }, 'rejected a connection');
      if (socket.writable) {
        const { status, body, headers } = errorResponse(...describeError(error.code));
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

    /** For the Node event of this name, whose default is a 417 without a body. */
    checkExpectation(_request: IncomingMessage, response: ServerResponse): void {
      const { status, body, headers } = errorResponse(417, 'The Expect header accepts only 100-continue.');
      response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
    },
  };
}

function describeError(code: string | undefined): [status: number, message: string] {
  if (code === 'HPE_HEADER_OVERFLOW') return [431, 'The URL and headers together exceed 16 KiB.'];
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return [408, 'The request was not received completely within 15 s.'];
  return [400, 'The request is not well-formed HTTP/1.1.'];
}
