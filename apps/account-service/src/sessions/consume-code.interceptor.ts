import {
  type CallHandler,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import { findMalformedInput, RejectedBody } from '@gpu-observatory/service-runtime';
import { accountErrors, DomainError } from '@gpu-observatory/service-runtime/process';
import type { FastifyRequest } from 'fastify';
import { lastValueFrom, type Observable, of } from 'rxjs';
import { AnonymousRejections } from '../audit/anonymous-rejections.ts';
import { originOf } from '../audit/audit.ts';
import { AuthorizationCodes, type ConsumedCode } from '../authorization-codes/authorization-codes.service.ts';
import { AllowedOrigins } from '../requests/allowed-origins.ts';
import { sessionModeOf } from './session-mode.ts';

type CodeResult = ConsumedCode | { replayedUserId: number } | null;

declare module 'fastify' {
  interface FastifyRequest {
    /** Result of consuming the code of an exchange. */
    code?: CodeResult;
  }
}

/** Injects the code of the exchange when it was valid until this request consumed it. */
export const ValidCode = createParamDecorator((_data: unknown, context: ExecutionContext) => {
  const { code } = context.switchToHttp().getRequest<FastifyRequest>();
  return code && !('replayedUserId' in code) && !code.expired ? code : undefined;
});

/**
 * Consumes the code of an exchange before origin, text and body are checked: an attempt that fails for any reason but the
 * rate limit burns the code. Audits the failed attempts.
 */
@Injectable()
export class ConsumeCodeInterceptor implements NestInterceptor {
  constructor(
    private readonly codes: AuthorizationCodes,
    private readonly rejections: AnonymousRejections,
    private readonly origins: AllowedOrigins,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    request.code = await this.codes.consume(codeIn(request.body));
    try {
      this.check(request);
      return of(await lastValueFrom(next.handle(), { defaultValue: undefined }));
    } catch (failure) {
      if (failure instanceof DomainError || request.body instanceof RejectedBody)
        await this.recordRejection(failure, request);
      throw failure;
    }
  }

  /** Checks what other routes check before their handler. */
  private check(request: FastifyRequest): void {
    if (request.body instanceof RejectedBody) throw request.body.rejection;
    if (sessionModeOf(request) === 'cookies') this.origins.check(request);
    const fault = findMalformedInput(request);
    if (fault === null) return;
    const hasCode = typeof codeIn(request.body) === 'string';
    throw hasCode ? invalidCode() : new DomainError(accountErrors.invalidRequest, fault);
  }

  /**
   * Audits attempts that burned or guessed a code. A request without a code is a client error, not a security event.
   */
  private async recordRejection(failure: unknown, request: FastifyRequest): Promise<void> {
    const { code = null } = request;
    const isInvalidCode = failure instanceof DomainError && failure.kind === accountErrors.invalidCode;
    if (code === null && !isInvalidCode) return;
    const event =
      code !== null && 'replayedUserId' in code
        ? { action: 'code_replayed', userId: code.replayedUserId }
        : { action: 'code_rejected', userId: code?.userId };
    await this.rejections.record(event, originOf(request));
  }
}

export function invalidCode(): DomainError {
  return new DomainError(
    accountErrors.invalidCode,
    'The code is unknown, used or older than a minute, redirect_uri differs from the frontend_url of the sign-in, or ' +
      'another browser or client started it; sign in again.',
  );
}

/** Returns the code in a JSON body, or in one that is a form, truncated JSON or any other text with a field `code`. */
function codeIn(body: unknown): unknown {
  if (body instanceof RejectedBody) return /\bcode\b[^\w-]{1,20}([\w-]{43})(?![\w-])/.exec(body.text)?.[1];
  return (body as { code?: unknown } | null | undefined)?.code;
}
