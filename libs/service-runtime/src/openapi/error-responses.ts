import { applyDecorators, type Type } from '@nestjs/common';
import { ApiDefaultResponse, ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import type { ErrorKind } from '../errors/domain-error.ts';

/**
 * Creates the decorator with which a service documents the error responses of its routes.
 *
 * @param body class of the error body, its field with the error code, and whether browsers get an HTML page instead
 * @param everywhere errors that every route can return
 */
export function errorResponsesDecorator<Name extends string>(
  catalog: Readonly<Record<Name, ErrorKind>>,
  body: { type: Type; codeField: string; hasPage?: boolean },
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
      // Linters want a response that is not an error; a redirect does not count for all of them.
      ...(body.hasPage
        ? [
            ApiDefaultResponse({
              description: 'Any other error, for example of a proxy.',
              content: { 'application/json': { schema: { $ref: getSchemaPath(body.type) } } },
            }),
          ]
        : []),
    );
  };
}

function errorResponse(
  status: number,
  kinds: ErrorKind[],
  { type, codeField, hasPage = false }: { type: Type; codeField: string; hasPage?: boolean },
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
      ...(hasPage && { 'text/html': { schema: { type: 'string' } } }),
    },
  });
}
