import { type RawDocument, resolve, type Schema } from '../document/openapi-document.ts';

/** What a schema says, with references, `allOf` and alternatives of types folded together. */
export interface Shape {
  /** JSON types that are allowed, sorted; empty where any is. */
  types: string[];
  enum: unknown[] | undefined;
  keywords: Record<string, unknown>;
  properties: Record<string, Schema>;
  required: string[];
  items: Schema | undefined;
}

/** Keywords that bound a value, compared one by one. */
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

export function shapeOf(document: RawDocument, given: Schema): Shape {
  const schema = resolve(document, given);
  const alternatives = (schema.oneOf ?? schema.anyOf ?? []) as Schema[];
  const parts = [
    ...((schema.allOf ?? []) as Schema[]).map((part) => shapeOf(document, part)),
    ...(alternatives.length > 0 ? [eitherOf(alternatives.map((part) => shapeOf(document, part)))] : []),
    ownShape(schema),
  ];
  return parts.reduce(both);
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

/** What holds of both at once. */
function both(a: Shape, b: Shape): Shape {
  return {
    types: b.types.length > 0 ? b.types : a.types,
    enum: b.enum ?? a.enum,
    keywords: { ...a.keywords, ...b.keywords },
    properties: { ...a.properties, ...b.properties },
    required: [...new Set([...a.required, ...b.required])],
    items: b.items ?? a.items,
  };
}

/** What one of several allows: a value or null, mostly. */
function eitherOf(shapes: Shape[]): Shape {
  const types = shapes.some((shape) => shape.types.length === 0)
    ? []
    : [...new Set(shapes.flatMap((shape) => shape.types))].sort();
  const listed = shapes.filter((shape) => shape.types.join() !== 'null');
  return {
    types,
    enum: listed.every((shape) => shape.enum) ? listed.flatMap((shape) => shape.enum ?? []) : undefined,
    keywords: Object.assign({}, ...listed.map((shape) => shape.keywords)) as Record<string, unknown>,
    properties: Object.assign({}, ...listed.map((shape) => shape.properties)) as Record<string, Schema>,
    required: listed.length === 1 ? listed[0]!.required : [],
    items: listed.find((shape) => shape.items)?.items,
  };
}
