import type { Type } from '@nestjs/common';
import { getSchemaPath } from '@nestjs/swagger';

const NULL = { type: 'null' };

// Options of `ApiProperty` for a value or null. OpenAPI 3.1 has no `nullable`, and the decorator takes a list of types
// for an array.

export const nullableText = { oneOf: [{ type: 'string' }, NULL] };
export const nullableTime = { oneOf: [{ type: 'string', format: 'date-time' }, NULL] };
export const nullableNumber = { oneOf: [{ type: 'number' }, NULL] };
export const nullableInteger = { oneOf: [{ type: 'integer' }, NULL] };
export const nullableObject = { oneOf: [{ type: 'object', additionalProperties: true }, NULL] };

/** Returns the options for a model, which must also be declared with `ApiExtraModels`. */
export function nullable(model: Type): { oneOf: object[] } {
  return { oneOf: [{ $ref: getSchemaPath(model) }, NULL] };
}
