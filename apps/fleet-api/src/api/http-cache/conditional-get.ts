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
import { ApiExtraModels, ApiHeader, ApiOkResponse, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ConditionalRequest, type Exchange, type ValidatorStrength } from './conditional-request.ts';
import { ResponseCache } from './response-cache.ts';

const STRENGTH = 'validator-strength';
const reflector = new Reflector();

/**
 * Documents a GET handler whose response has validators, and sets their strength.
 *
 * @param textTypes media types of the response in addition to JSON
 */
export function ConditionalGet(
  type: Type,
  strength: ValidatorStrength = 'strong',
  textTypes: readonly string[] = [],
): MethodDecorator {
  const headers = validatorHeaders(strength);
  const body = textTypes.length === 0 ? { type } : { description: '', content: contentOf(type, textTypes) };
  return applyDecorators(
    ApiExtraModels(type),
    SetMetadata(STRENGTH, strength),
    ApiHeader({
      name: 'If-None-Match',
      required: false,
      description: 'The ETag of a response that the client has.',
      schema: { type: 'string' },
    }),
    ApiOkResponse({ headers, ...body }),
    ApiResponse({ status: 304, description: 'The response has not changed.', headers }),
  );
}

@Injectable()
class ConditionalRequestPipe implements PipeTransform<Exchange, ConditionalRequest> {
  constructor(private readonly cache: ResponseCache) {}

  transform(exchange: Exchange): ConditionalRequest {
    return new ConditionalRequest(exchange, this.cache);
  }
}

function exchangeOf(_data: unknown, context: ExecutionContext): Exchange {
  const http = context.switchToHttp();
  return {
    request: http.getRequest<FastifyRequest>(),
    reply: http.getResponse<FastifyReply>(),
    strength: reflector.get<ValidatorStrength>(STRENGTH, context.getHandler()),
  };
}

/** Parameter decorator: passes the `Exchange` of a request to a pipe. */
export const ExchangeOf = createParamDecorator(exchangeOf);

/**
 * Parameter decorator: injects the `ConditionalRequest` into a handler with `@ConditionalGet`. An interceptor, as website-api has for
 * its rendered pages, would take 12 % more CPU time for an uncached alert, even one that does nothing.
 */
export const Conditional = (): ParameterDecorator => ExchangeOf(ConditionalRequestPipe);

function contentOf(type: Type, textTypes: readonly string[]) {
  return Object.fromEntries([
    ['application/json', { schema: { $ref: getSchemaPath(type) } }],
    ...textTypes.map((text) => [text, { schema: { type: 'string' } }] as const),
  ]);
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
