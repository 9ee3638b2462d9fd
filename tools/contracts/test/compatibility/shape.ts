import { type RawDocument, resolve, type Schema } from '../../src/document/openapi-document.ts';

/** The constraints of a schema, with references, `allOf` and alternatives merged. */
export interface Shape {
  /** Allowed JSON types, sorted. Empty if any type is allowed. */
  types: string[];
  enum: unknown[] | undefined;
  keywords: Record<string, unknown>;
  properties: Record<string, Schema>;
  required: string[];
  items: Schema | undefined;
}

/** Keywords that restrict a value, compared one by one. */
const BOUNDS = [
  'format',
  'pattern',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'additionalProperties',
];

export function shapeOf(document: RawDocument, reference: Schema): Shape {
  const schema = resolve(document, reference);
  const alternatives = (schema.oneOf ?? schema.anyOf ?? []) as Schema[];
  const parts = [
    ...((schema.allOf ?? []) as Schema[]).map((part) => shapeOf(document, part)),
    ...(alternatives.length > 0 ? [anyOf(alternatives.map((part) => shapeOf(document, part)))] : []),
    ownShape(schema),
  ];
  return parts.reduce(allOf);
}

function ownShape(schema: Schema): Shape {
  return {
    types: schema.type === undefined ? [] : ([schema.type].flat() as string[]).toSorted(),
    enum: (schema.enum as unknown[] | undefined) ?? ('const' in schema ? [schema.const] : undefined),
    keywords: Object.fromEntries(BOUNDS.filter((name) => name in schema).map((name) => [name, schema[name]])),
    properties: (schema.properties ?? {}) as Record<string, Schema>,
    required: (schema.required ?? []) as string[],
    items: schema.items as Schema | undefined,
  };
}

/** Merges two schemas that must both match. */
function allOf(a: Shape, b: Shape): Shape {
  return {
    types: b.types.length > 0 ? b.types : a.types,
    enum: b.enum ?? a.enum,
    keywords: { ...a.keywords, ...b.keywords },
    properties: { ...a.properties, ...b.properties },
    required: [...new Set([...a.required, ...b.required])],
    items: b.items ?? a.items,
  };
}

/** Merges alternatives, in most cases a value or null. */
function anyOf(shapes: Shape[]): Shape {
  const types = shapes.some((shape) => shape.types.length === 0)
    ? []
    : [...new Set(shapes.flatMap((shape) => shape.types))].sort();
  const nonNull = shapes.filter((shape) => shape.types.join() !== 'null');
  return {
    types,
    enum: nonNull.every((shape) => shape.enum) ? nonNull.flatMap((shape) => shape.enum ?? []) : undefined,
    keywords: Object.assign({}, ...nonNull.map((shape) => shape.keywords)) as Record<string, unknown>,
    properties: Object.assign({}, ...nonNull.map((shape) => shape.properties)) as Record<string, Schema>,
    required: nonNull.length === 1 ? nonNull[0]!.required : [],
    items: nonNull.find((shape) => shape.items)?.items,
  };
}
