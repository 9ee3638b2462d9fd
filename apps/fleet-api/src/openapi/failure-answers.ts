import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { type FailureKind, fleetFailures } from '@gpu-observatory/error-envelopes';

/** Every failure's body (contract 7.1). */
export class Failure {
  @ApiProperty({ description: 'What failed, a code of the catalogue.' })
  error!: string;
  @ApiProperty({ description: 'What is wrong and what would be right.' })
  message!: string;
}

/** Documents which failures of the catalogue a route may answer, and those that every route may. */
export function FailureAnswers(...names: (keyof typeof fleetFailures)[]): MethodDecorator {
  const everywhere = ['invalidQuery', 'unauthorized', 'internalServerError', 'upstreamError'] as const;
  const byStatus = new Map<number, FailureKind[]>();
  for (const name of [...everywhere, ...names]) {
    const kind: FailureKind = fleetFailures[name];
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
                { properties: { error: { type: 'string', enum: kinds.map(({ code }) => code) } } },
              ],
            },
          },
        },
      }),
    ),
  );
}
