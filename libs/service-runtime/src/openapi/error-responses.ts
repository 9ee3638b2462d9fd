import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import type { ErrorKind } from '@gpu-observatory/error-envelopes';

/**
 * Makes a service's decorator for its routes: it documents which failures of the catalogue a route may answer, beside
 * those that every route may.
 *
 * @param body every failure's body, and its field that holds the failure's code
 */
export function errorResponsesDecorator<Name extends string>(
  catalogue: Readonly<Record<Name, ErrorKind>>,
  body: { type: Type; codeField: string },
  everywhere: readonly NoInfer<Name>[],
): (...names: Name[]) => MethodDecorator {
  return (...names) => {
    const byStatus = new Map<number, ErrorKind[]>();
    for (const name of new Set([...everywhere, ...names])) {
      const kind = catalogue[name];
      byStatus.set(kind.status, [...(byStatus.get(kind.status) ?? []), kind]);
    }
    return applyDecorators(
      ApiExtraModels(body.type),
      ...[...byStatus].map(([status, kinds]) => errorResponse(status, kinds, body)),
    );
  };
}

function errorResponse(
  status: number,
  kinds: ErrorKind[],
  { type, codeField }: { type: Type; codeField: string },
) {
  const codes = kinds.map(({ code }) => code);
  return ApiResponse({
    status,
    description: codes.join(', or '),
    content: {
      'application/json': {
        schema: {
          allOf: [
            { $ref: getSchemaPath(type) },
            { properties: { [codeField]: { type: 'string', enum: codes } } },
          ],
        },
      },
    },
  });
}
