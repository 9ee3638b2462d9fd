import { type IncomingMessage, STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorEnvelope } from '@gpu-observatory/error-envelopes';
import type { Logger } from '../logging/logger.ts';

/**
 * Answers in the service's own envelope to what Node refuses before the router sees it: bytes that are no HTTP, headers
 * too large, a request that does not arrive in time, an unknown `Expect`.
 */
export function connectionErrorHandlers(envelope: ErrorEnvelope, logger: Logger) {
  const refusal = (status: number, message: string) => {
    const kind = envelope.rejected(status);
    return {
      status: kind.status,
      body: JSON.stringify(envelope.body(kind, message)),
      headers: { 'content-type': envelope.contentType, 'cache-control': 'no-store' },
    };
  };
  return {
    /** Fastify's option of this name. */
    clientErrorHandler(error: Error & { code?: string }, socket: Socket): void {
      if (error.code === 'ECONNRESET' || socket.destroyed) return;
      logger.debug({ err: error }, 'a connection was refused');
      if (socket.writable) {
        const { status, body, headers } = refusal(...faultOf(error.code));
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

    /** Node's event of this name; its default is a bare 417. */
    checkExpectation(_request: IncomingMessage, response: ServerResponse): void {
      const { status, body, headers } = refusal(417, 'The header Expect may only say 100-continue.');
      response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
    },
  };
}

function faultOf(code: string | undefined): [status: number, message: string] {
  if (code === 'HPE_HEADER_OVERFLOW') return [431, 'The URL and headers together exceed 16 KiB.'];
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return [408, 'The request did not arrive whole within 15 s.'];
  return [400, 'The request is not well-formed HTTP/1.1.'];
}
