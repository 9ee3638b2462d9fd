import type { Type } from '@nestjs/common';
import { DECORATORS, getSchemaPath } from '@nestjs/swagger';

/** Metadata that `@ApiProperty` stores. `type` defaults to the TypeScript type of the property. */
interface Property {
  type?: unknown;
  isArray?: boolean;
  oneOf?: readonly { $ref?: string }[];
}

/** Returns the CSV columns of a model, in the order of its properties. A nested object has a column `object.field` per field. */
export function csvColumnsOf(model: Type): string[] {
  return propertiesOf(model).flatMap((name) => {
    const nested = nestedModel(model, name);
    return nested === undefined ? [name] : csvColumnsOf(nested).map((field) => `${name}.${field}`);
  });
}

/** Returns the model of a nested object; undefined for a value or an array, which is one column. */
function nestedModel(model: Type, name: string): Type | undefined {
  const property = Reflect.getMetadata(DECORATORS.API_MODEL_PROPERTIES, model.prototype, name) as Property;
  const { type, isArray = false, oneOf = [] } = property;
  const isModel = typeof type === 'function' && !isArray && propertiesOf(type as Type).length > 0;
  if (isModel) return type as Type;
  // `nullable(model)` stores a `$ref` instead of the class. The class is one of those declared with `@ApiExtraModels`.
  const extraModels = (Reflect.getMetadata(DECORATORS.API_EXTRA_MODELS, model) ?? []) as Type[];
  return extraModels.find((extra) => oneOf.some(({ $ref }) => $ref === getSchemaPath(extra)));
}

function propertiesOf({ prototype }: Type): string[] {
  const names = Reflect.getMetadata(DECORATORS.API_MODEL_PROPERTIES_ARRAY, prototype) as string[] | undefined;
  // The decorator stores each name after a colon.
  return (names ?? []).map((name) => name.slice(':'.length));
}
