import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  type Type,
  UseInterceptors,
} from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiResponse } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { mergeMap, type Observable } from 'rxjs';
import { ConditionalRequest, type Validators, type ValidatorStrength } from './conditional-request.ts';

/** What a handler with `@ConditionalGet` returns: how to validate the response and how to build it. */
export interface ConditionalResponse<Body> {
  /** Reads the validators alone; omitted when that costs as much as `build`. */
  readValidators?(): Promise<Validators>;
  build(): Promise<Validators & { body: Body }>;
  /** False when the response cache must not store the response: it is not requested again, or depends on the clock. */
  cacheable?: boolean;
}

/**
 * Answers conditional requests (RFC 9110, section 13.1.2): sends 304 without building the body when the client's
 * entity tag is current, otherwise the body with its validators. See docs/fleet-api.md#freshness.
 */
export function ConditionalGet(type: Type, strength: ValidatorStrength = 'strong'): MethodDecorator {
  const headers = validatorHeaders(strength);
  return applyDecorators(
    UseInterceptors(new ConditionalGetInterceptor(strength)),
    ApiHeader({
      name: 'If-None-Match',
      required: false,
      description: 'The ETag of a response that the client has.',
      schema: { type: 'string' },
    }),
    ApiOkResponse({ type, headers }),
    ApiResponse({ status: 304, description: 'The response has not changed.', headers }),
  );
}

class ConditionalGetInterceptor implements NestInterceptor<ConditionalResponse<unknown>, unknown> {
  constructor(private readonly strength: ValidatorStrength) {}

  intercept(context: ExecutionContext, next: CallHandler<ConditionalResponse<unknown>>): Observable<unknown> {
    const http = context.switchToHttp();
    const request = new ConditionalRequest(
      http.getRequest<FastifyRequest>(),
      http.getResponse<FastifyReply>(),
      this.strength,
    );
    return next.handle().pipe(mergeMap((response) => bodyOf(request, response)));
  }
}

/** @returns undefined for a 304 */
async function bodyOf(
  request: ConditionalRequest,
  { readValidators, build, cacheable = true }: ConditionalResponse<unknown>,
): Promise<unknown> {
  if (readValidators !== undefined && request.hasEntityTag) {
    const validators = await readValidators();
    if (request.isNotModified(validators)) {
      request.setValidators(validators, cacheable);
      return undefined;
    }
  }
  const { body, ...validators } = await build();
  return request.setValidators(validators, cacheable) ? undefined : body;
}

function validatorHeaders(strength: ValidatorStrength) {
  return {
    'X-Data-As-Of': {
      description: "Time of the newest import for the caller's customers; absent before the first import.",
      schema: { type: 'string' as const, format: 'date-time' },
    },
    ETag: {
      description: `${strength === 'strong' ? 'Strong' : 'Weak'}; changes with the data of the caller's customers.`,
      schema: { type: 'string' as const },
    },
  };
}
