import { ApiProperty, getSchemaPath } from '@nestjs/swagger';

/** How the website API tells of a failure (RFC 9457). */
export class ProblemDetails {
  @ApiProperty({ example: 'about:blank', description: 'about:blank: the title says all that the kind does.' })
  type!: string;

  @ApiProperty({ example: 'Bad Request' })
  title!: string;

  @ApiProperty({ type: 'integer', example: 400 })
  status!: number;

  @ApiProperty({ description: 'What is wrong with this request, and what would be right.' })
  detail!: string;
}

/** For the OpenAPI document: the content of a refusal. */
export const problemContent = {
  'application/problem+json': { schema: { $ref: getSchemaPath(ProblemDetails) } },
};

/** For the OpenAPI document: the answer while the database is away. */
export const AWAY = {
  description: 'A backing service does not answer; Retry-After says when to come again.',
  headers: { 'Retry-After': { schema: { type: 'integer' as const }, description: 'In seconds.' } },
  content: problemContent,
};
