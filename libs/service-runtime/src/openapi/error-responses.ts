import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import type { ErrorKind } from '@gpu-observatory/error-envelopes';

/**
 * Creates the decorator with which a service documents the error responses of its routes.
 *
 * @param body class of the error body, and its field with the error code
 * @param everywhere errors that every route can return
 */
export function errorResponsesDecorator<Name extends string>(
  catalog: Readonly<Record<Name, ErrorKind>>,
  body: { type: Type; codeField: string },
  everywhere: readonly NoInfer<Name>[],
): (...names: Name[]) => MethodDecorator {
  return (...names) => {
    const byStatus = new Map<number, ErrorKind[]>();
    for (const name of new Set([...everywhere, ...names])) {
      const kind = catalog[name];
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
