import { applyDecorators, type Type } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiResponse } from '@nestjs/swagger';

const HEADERS = {
  ETag: { description: 'Strong entity tag, different for each content coding.', schema: { type: 'string' } },
  'Cache-Control': { description: 'How long the response may be cached.', schema: { type: 'string' } },
} as const;

/** Documents a 200 response and its 304 form for conditional requests. */
export function ApiConditionalResponse(type: Type, description: string): MethodDecorator {
  return applyDecorators(
    ApiHeader({
      name: 'If-None-Match',
      required: false,
      description: 'The ETag of a cached response.',
      schema: { type: 'string' },
    }),
    ApiOkResponse({ type, description, headers: HEADERS }),
    ApiResponse({
      status: 304,
      description: 'Not modified: the cached response is current.',
      headers: HEADERS,
    }),
  );
}
