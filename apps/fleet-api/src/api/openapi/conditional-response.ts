import { applyDecorators, type Type } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiResponse } from '@nestjs/swagger';

const DATA_AS_OF = {
  'X-Data-As-Of': {
    description: "The newest import of the caller's customers; absent when there was none.",
    schema: { type: 'string', format: 'date-time' },
  },
} as const;

const conditional = (strength: 'Strong' | 'Weak') => ({
  ...DATA_AS_OF,
  ETag: {
    description: `${strength}; it follows the data of the caller's customers.`,
    schema: { type: 'string' as const },
  },
});

/** Documents an answer that a poll of unchanged data gets as 304. */
export function ConditionalAnswer(type: Type, strength: 'Strong' | 'Weak' = 'Strong'): MethodDecorator {
  const headers = conditional(strength);
  return applyDecorators(
    ApiHeader({
      name: 'If-None-Match',
      required: false,
      description: 'The ETag of an answer that the client has.',
      schema: { type: 'string' },
    }),
    ApiOkResponse({ type, headers }),
    ApiResponse({ status: 304, description: 'The client has this answer.', headers }),
  );
}
