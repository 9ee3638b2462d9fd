import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  HttpException,
  NotFoundException,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DependencyUnavailable, DomainError, type ErrorKind } from './domain-error.ts';
import type { ErrorEnvelope } from './envelopes.ts';

/** Headers that describe the body of a response, for an error in its place. */
export const BODY_HEADERS = [
  'content-disposition',
  'content-encoding',
  'content-length',
  'etag',
  'last-modified',
  'x-data-as-of',
];

/**
 * Responds to a path that does not exist, in place of the framework's 404 body. It also receives requests that the
 * framework rejects in another way: a path that cannot be decoded, a body of invalid JSON.
 */
export type UnknownPathHandler = (request: FastifyRequest, reply: FastifyReply) => void;

/**
 * Turns every error into an HTTP response:
 *
 * - a `DomainError` into its own kind, message and headers;
 * - a `DependencyUnavailable` into the envelope's `unavailable`, with `Retry-After`;
 * - the framework's 404 into the envelope's `unknownPath`, the framework's body (docs/services.md#paths) or the service's own
 *   response;
 * - any other 4xx of the framework (invalid JSON, a body too large) into the envelope's kind for that status;
 * - everything else into a 500 without detail, and a log line with the error.
 */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    private readonly envelope: ErrorEnvelope,
    public unknownPathHandler?: UnknownPathHandler | undefined,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    this.send(error, host.switchToHttp().getRequest(), host.switchToHttp().getResponse());
  }

  /** Handles an error outside of Nest too, such as a path that the router cannot decode. */
  send(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    if (reply.sent || reply.raw.headersSent) {
      // The status can no longer change. Closing the connection shows the client that the response is incomplete.
      request.log.error({ err: error }, 'failed after the response headers were sent');
      if (!reply.raw.writableEnded) reply.raw.destroy();
      return;
    }

    for (const name of BODY_HEADERS) void reply.removeHeader(name);
    const isUnknownPath =
      error instanceof NotFoundException || (request.is404 && !(error instanceof DomainError));
    if (isUnknownPath && this.unknownPathHandler) return this.unknownPathHandler(request, reply);
    if (error instanceof NotFoundException) {
      if (this.envelope.unknownPath) return this.write(reply, this.envelope.unknownPath, error.message);
      void reply.status(404).send(error.getResponse());
      return;
    }
    if (error instanceof DomainError) {
      if (error.cause !== undefined)
        request.log.info({ error: error.kind.code, err: error.cause }, 'request rejected');
      return this.write(reply, error.kind, error.message, error.headers);
    }
    if (error instanceof DependencyUnavailable) {
      request.log.error({ err: error }, 'a backing service is unavailable');
      return this.write(reply, this.envelope.unavailable, 'A backing service is unavailable; retry later.', {
        'retry-after': '1',
      });
    }
    if (isAbortedRequest(error)) {
      request.log.debug({ err: error }, 'the client closed the connection before the end of its request');
      return this.write(
        reply,
        this.envelope.kindForStatus(400),
        'The request ended before its body was complete.',
      );
    }
    const status = rejectionStatus(error);
    if (status !== undefined) {
      return this.write(reply, this.envelope.kindForStatus(status), rejectionMessage(error, status));
    }
    request.log.error({ err: error }, 'unexpected error');
    this.write(reply, this.envelope.unexpected, 'Unexpected server error.');
  }

  private write(
    reply: FastifyReply,
    kind: ErrorKind,
    message: string,
    headers: Readonly<Record<string, string>> = {},
  ): void {
    void reply
      .status(kind.status)
      .headers(headers)
      .header('content-type', this.envelope.contentType)
      .header('cache-control', 'no-store')
      .send(JSON.stringify(this.envelope.body(kind, message)));
  }
}

/** Whether Node reports that the client disconnected while it sent the body. */
function isAbortedRequest(error: unknown): boolean {
  return (
    error instanceof Error && error.message === 'aborted' && 'code' in error && error.code === 'ECONNRESET'
  );
}

/**
 * Returns the 4xx status with which Fastify or Nest rejected the request. Ignores the `statusCode` of any other error,
 * for example of a failed request to another service.
 */
function rejectionStatus(error: unknown): number | undefined {
  const status =
    error instanceof HttpException
      ? error.getStatus()
      : error instanceof Error && error.name === 'FastifyError' && 'statusCode' in error
        ? Number(error.statusCode)
        : undefined;
  return status !== undefined && status >= 400 && status < 500 ? status : undefined;
}

function rejectionMessage(error: unknown, status: number): string {
  // Fastify's message does not name the accepted type.
  if (status === 415) return 'The body must be JSON: send it with Content-Type: application/json.';
  const response = error instanceof HttpException ? error.getResponse() : undefined;
  const message = typeof response === 'object' && 'message' in response ? response.message : undefined;
  if (Array.isArray(message)) return message.join('; ');
  return error instanceof Error ? error.message : 'The request was rejected.';
}
