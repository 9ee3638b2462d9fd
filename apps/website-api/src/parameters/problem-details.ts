import { ApiProperty, getSchemaPath } from '@nestjs/swagger';

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

/** OpenAPI content of an error response. */
export const problemContent = {
  'application/problem+json': { schema: { $ref: getSchemaPath(ProblemDetails) } },
};

/** OpenAPI response while the database or account-service is unavailable. */
export const SERVICE_UNAVAILABLE = {
  description: 'A backing service is unavailable. Retry-After states when to retry.',
  headers: { 'Retry-After': { schema: { type: 'integer' as const }, description: 'In seconds.' } },
  content: problemContent,
};
