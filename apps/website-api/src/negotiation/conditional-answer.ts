import { applyDecorators, type Type } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiResponse } from '@nestjs/swagger';

const HEADERS = {
  ETag: { description: 'Strong; one for each coding of the content.', schema: { type: 'string' } },
  'Cache-Control': { description: 'For how long it may be kept.', schema: { type: 'string' } },
} as const;

/** Documents an answer that a reader who holds it already gets as 304 (decisions, section 4, Caching). */
export function ConditionalAnswer(type: Type, description: string): MethodDecorator {
  return applyDecorators(
    ApiHeader({
      name: 'If-None-Match',
      required: false,
      description: 'The ETag of an answer that the client has.',
      schema: { type: 'string' },
    }),
    ApiOkResponse({ type, description, headers: HEADERS }),
    ApiResponse({ status: 304, description: 'The client has this answer.', headers: HEADERS }),
  );
}
