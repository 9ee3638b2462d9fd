import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { accountFailures, type FailureKind } from '@gpu-observatory/error-envelopes';

/** Every failure's body (contract 7.2). */
export class Failure {
  @ApiProperty({ description: 'What failed, a name of the catalogue.' })
  title!: string;
  @ApiProperty({ description: 'What is wrong and what would be right.' })
  detail!: string;
}

/** Documents which failures of the catalogue a route may answer, and those that every route may. */
export function FailureAnswers(...names: (keyof typeof accountFailures)[]): MethodDecorator {
  const byStatus = new Map<number, FailureKind[]>();
  for (const name of [...names, 'internalServerError', 'serviceUnavailable'] as const) {
    const kind: FailureKind = accountFailures[name];
    byStatus.set(kind.status, [...(byStatus.get(kind.status) ?? []), kind]);
  }
  return applyDecorators(
    ApiExtraModels(Failure),
    ...[...byStatus].map(([status, kinds]) =>
      ApiResponse({
        status,
        description: kinds.map(({ code }) => code).join(', or '),
        content: {
          'application/json': {
            schema: {
              allOf: [
                { $ref: getSchemaPath(Failure) },
                { properties: { title: { type: 'string', enum: kinds.map(({ code }) => code) } } },
              ],
            },
          },
        },
      }),
    ),
  );
}
