import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, ApiResponse, getSchemaPath } from '@nestjs/swagger';

/** Error body of the website API (RFC 9457). */
export class ProblemDetails {
  @ApiProperty({ example: 'about:blank', description: 'about:blank: the title describes the error type.' })
  type!: string;

  @ApiProperty({ example: 'Bad Request' })
  title!: string;

  @ApiProperty({ type: 'integer', example: 400 })
  status!: number;

  @ApiProperty({ description: 'What is wrong with the request, and what is accepted.' })
  detail!: string;
}

export const UNKNOWN_PARAMETER = 'Unknown query parameter.';
/** Description of a 503 while the database or account-service is unavailable. */
export const UNAVAILABLE = 'A backing service is unavailable. Retry-After states when to retry.';

const RETRY_AFTER = { 'Retry-After': { schema: { type: 'integer' as const }, description: 'In seconds.' } };

/** Errors that every route can return. */
const EVERYWHERE = {
  408: 'The request did not arrive completely within 15 s.',
  417: 'Expect has another value than 100-continue.',
  431: 'The URL and headers together exceed 16 KiB.',
};

/** Documents the error responses of a route, as descriptions by status, and those of every route. */
export function ErrorResponses(descriptions: Readonly<Record<number, string>>): MethodDecorator {
  return applyDecorators(
    ApiExtraModels(ProblemDetails),
    ...Object.entries({ ...descriptions, ...EVERYWHERE }).map(([status, description]) =>
      ApiResponse({
        status: Number(status),
        description,
        ...(status === '503' ? { headers: RETRY_AFTER } : {}),
        content: { 'application/problem+json': { schema: { $ref: getSchemaPath(ProblemDetails) } } },
      }),
    ),
  );
}
