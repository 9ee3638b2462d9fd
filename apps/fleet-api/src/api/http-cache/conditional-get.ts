import {
  applyDecorators,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  type PipeTransform,
  SetMetadata,
  type Type,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiHeader, ApiOkResponse, ApiResponse } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ConditionalRequest, type ValidatorStrength } from './conditional-request.ts';
import { ResponseCache } from './response-cache.ts';

const STRENGTH = 'validator-strength';
const reflector = new Reflector();

/** Documents a GET handler whose response has validators, and sets their strength. */
export function ConditionalGet(type: Type, strength: ValidatorStrength = 'strong'): MethodDecorator {
  const headers = validatorHeaders(strength);
  return applyDecorators(
    SetMetadata(STRENGTH, strength),
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

interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
  strength: ValidatorStrength;
}

@Injectable()
class ConditionalRequestPipe implements PipeTransform<Exchange, ConditionalRequest> {
  constructor(private readonly cache: ResponseCache) {}

  transform({ request, reply, strength }: Exchange): ConditionalRequest {
    return new ConditionalRequest(request, reply, strength, this.cache);
  }
}

const ExchangeOf = createParamDecorator((_data: unknown, context: ExecutionContext): Exchange => {
  const http = context.switchToHttp();
  return {
    request: http.getRequest<FastifyRequest>(),
    reply: http.getResponse<FastifyReply>(),
    strength: reflector.get<ValidatorStrength>(STRENGTH, context.getHandler()),
  };
});

/** The `ConditionalRequest` as a parameter of a handler with `@ConditionalGet`. */
export const Conditional = (): ParameterDecorator => ExchangeOf(ConditionalRequestPipe);

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
