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

/**
 * What a service may do with a path that does not exist instead of the framework's default 404 body. It answers
 * whatever else may be wrong with such a request too: a path that cannot be decoded, a body that is not JSON.
 */
export type UnknownPathHandler = (request: FastifyRequest, reply: FastifyReply) => void;

/**
 * The one place where a failure becomes HTTP.
 *
 * - a `DomainError` is written as it says;
 * - a `DependencyUnavailable` is the envelope's answer for a backing service that is away, with `Retry-After`;
 * - the framework's 404 for an unknown path or method keeps the framework's body (contract 7.1), or the service's own;
 * - another refusal by the framework (4xx: broken JSON, a body too large) keeps its meaning in the envelope;
 * - anything else is a bare 500 and a full log line.
 */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    private readonly envelope: ErrorEnvelope,
    private readonly unknownPath?: UnknownPathHandler,
  ) {}

  catch(failure: unknown, host: ArgumentsHost): void {
    this.send(failure, host.switchToHttp().getRequest(), host.switchToHttp().getResponse());
  }

  /** The same for a failure that never reached Nest, such as a path that the router cannot decode. */
  send(failure: unknown, request: FastifyRequest, reply: FastifyReply): void {
    if (reply.sent || reply.raw.headersSent) {
      // The head is out: what was begun can only break off, so that nobody takes a part for the whole.
      request.log.error({ err: failure }, 'failed after the answer had begun');
      if (!reply.raw.writableEnded) reply.raw.destroy();
      return;
    }

    const isUnknownPath = failure instanceof NotFoundException || request.is404;
    if (isUnknownPath && this.unknownPath) return this.unknownPath(request, reply);
    if (failure instanceof NotFoundException) {
      void reply.status(404).send(failure.getResponse());
      return;
    }
    if (failure instanceof DomainError) {
      if (failure.internalDetail !== undefined || failure.cause !== undefined) {
        request.log.info(
          { failure: failure.kind.code, detail: failure.internalDetail, err: failure.cause },
          'refused',
        );
      }
      return this.write(reply, failure.kind, failure.message, failure.headers);
    }
    if (failure instanceof DependencyUnavailable) {
      request.log.error({ err: failure }, 'a backing service is away');
      return this.write(reply, this.envelope.unavailable, 'A backing service does not answer; retry later.', {
        'retry-after': '1',
      });
    }
    const status = refusedStatus(failure);
    if (status !== undefined) {
      return this.write(reply, this.envelope.rejected(status), messageOf(failure));
    }
    request.log.error({ err: failure }, 'unexpected failure');
    this.write(reply, this.envelope.unexpected, 'The service failed unexpectedly.');
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

/**
 * The 4xx with which Fastify or Nest refused a request, if that is what happened. A `statusCode` on any other error
 * (another service's answer, say) means nothing here.
 */
function refusedStatus(failure: unknown): number | undefined {
  const status =
    failure instanceof HttpException
      ? failure.getStatus()
      : failure instanceof Error && failure.name === 'FastifyError' && 'statusCode' in failure
        ? Number(failure.statusCode)
        : undefined;
  return status !== undefined && status >= 400 && status < 500 ? status : undefined;
}

/** What the framework says is wrong; a validation says it of several parameters at once. */
function messageOf(failure: unknown): string {
  const response = failure instanceof HttpException ? failure.getResponse() : undefined;
  const message = typeof response === 'object' && 'message' in response ? response.message : undefined;
  if (Array.isArray(message)) return message.join('; ');
  return failure instanceof Error ? failure.message : 'The request was refused.';
}
