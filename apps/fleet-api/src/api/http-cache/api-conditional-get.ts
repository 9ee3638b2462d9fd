import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiHeader, ApiOkResponse, ApiResponse, getSchemaPath } from '@nestjs/swagger';

/**
 * Documents a GET handler whose response has validators. The handler sends it with `ConditionalResponder`.
 *
 * @param strength as in the response (`ConditionalResponse.isWeak`)
 * @param textTypes media types of the response in addition to JSON
 */
export function ApiConditionalGet(
  type: Type,
  strength: 'strong' | 'weak' = 'strong',
  textTypes: readonly string[] = [],
): MethodDecorator {
  const headers = {
    'X-Data-As-Of': {
      description: "Time of the newest import for the caller's customers; absent before the first import.",
      schema: { type: 'string' as const, format: 'date-time' },
    },
    ETag: {
      description: `${strength === 'strong' ? 'Strong' : 'Weak'}; changes with the data of the caller's customers.`,
      schema: { type: 'string' as const },
    },
  };
  const body = textTypes.length === 0 ? { type } : { description: '', content: contentOf(type, textTypes) };
  return applyDecorators(
    ApiExtraModels(type),
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

function contentOf(type: Type, textTypes: readonly string[]) {
  return Object.fromEntries([
    ['application/json', { schema: { $ref: getSchemaPath(type) } }],
    ...textTypes.map((text) => [text, { schema: { type: 'string' } }] as const),
  ]);
}
