import type { Field, Schema, SchemaFields } from './schema-fields.ts';

export interface Operation {
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  /** Names of the accepted security schemes. */
  security: string[];
  isPublic: boolean;
  pathParameters: Field[];
  queryParameters: Field[];
  headers: Field[];
  body: { fields: Field[]; example: unknown; contentType: string } | undefined;
  responses: SuccessResponse[];
  errors: ErrorStatus[];
  /** Path with the examples of its parameters. */
  examplePath: string;
  /** Examples of query parameters, by name. */
  exampleQuery: [name: string, value: string][];
  /** Parameters of the path, the query and the header, one by one. */
  inputs: { location: Parameter['in']; name: string; example: string; isRequired: boolean }[];
}

export interface ErrorStatus {
  status: string;
  /** Codes, or one sentence. */
  texts: string[];
}

export interface SuccessResponse {
  status: string;
  description: string;
  contentType: string | undefined;
  fields: Field[];
  example: unknown;
}

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: Schema;
  example?: unknown;
}
type Content = Record<string, { schema?: Schema; example?: unknown }>;
export interface RawOperation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content?: Content }>;
  security?: Record<string, unknown>[];
}

/** Methods of the operations, in the order of the reference. */
export const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Describes an operation of the document. */
export function operationOf(
  method: string,
  path: string,
  raw: RawOperation,
  schemas: SchemaFields,
): Operation {
  const parameters = raw.parameters ?? [];
  const fields = (location: Parameter['in']) =>
    parameters
      .filter((parameter) => parameter.in === location)
      .map(({ name, schema, required = false, description }) =>
        schemas.field(name, schema, required, description),
      );
  const security = raw.security ?? [];
  const responses = Object.entries(raw.responses);
  const [contentType = '', body] = Object.entries(raw.requestBody?.content ?? {})[0] ?? [];
  return {
    id: raw.operationId,
    method: method.toUpperCase(),
    path,
    summary: raw.summary,
    description: raw.description ?? '',
    security: security.flatMap((scheme) => Object.keys(scheme)),
    isPublic: security.length === 0 || security.some((scheme) => Object.keys(scheme).length === 0),
    pathParameters: fields('path'),
    queryParameters: mergeOperators(fields('query')),
    headers: fields('header'),
    body: body && {
      fields: body.schema ? schemas.properties(body.schema) : [],
      example: body.example,
      contentType,
    },
    responses: responses
      .filter(([status]) => /^[23]/.test(status))
      .map(([status, response]) => successOf(status, response, schemas)),
    errors: responses
      .filter(([status]) => !/^[23]/.test(status))
      .map(([status, response]) => ({ status, texts: errorTexts(response, schemas) })),
    examplePath: examplePath(path, parameters),
    exampleQuery: parameters
      .filter((parameter) => parameter.in === 'query' && parameter.example !== undefined)
      .map(({ name, example }) => [name, String(example)]),
    inputs: parameters.map(({ in: location, name, example = '', required = false }) => ({
      location,
      name,
      example: String(example),
      isRequired: required,
    })),
  };
}

function successOf(
  status: string,
  { description, content = {} }: RawOperation['responses'][string],
  schemas: SchemaFields,
): SuccessResponse {
  const [contentType, media] = Object.entries(content)[0] ?? [];
  return {
    status,
    description,
    contentType,
    fields: media?.schema ? schemas.properties(media.schema) : [],
    example: media?.example,
  };
}

/** Returns the codes of an error; its description if the document lists none. */
function errorTexts(
  { description, content = {} }: RawOperation['responses'][string],
  schemas: SchemaFields,
): string[] {
  const schema = Object.values(content)[0]?.schema;
  const codes = schema ? schemas.properties(schema).flatMap(({ values }) => values) : [];
  return codes.length > 0 ? codes : [description];
}

/** Merges `filter[severity][in]`, `filter[severity][equals]` and so on into `filter[severity][…]`. */
function mergeOperators(fields: Field[]): Field[] {
  const merged = new Map<string, { field: Field; operators: string[] }>();
  for (const field of fields) {
    const [, prefix, operator] = /^(.+\[[^\]]+\])\[([^\]]+)\]$/.exec(field.name) ?? [];
    const known = merged.get(prefix ?? field.name);
    if (known && operator !== undefined) {
      known.operators.push(operator);
      if (known.field.values.length === 0) known.field.values = field.values;
      continue;
    }
    const name = prefix === undefined ? field.name : `${prefix}[…]`;
    // The description of a list repeats its values.
    const description = prefix === undefined ? field.description : '';
    merged.set(prefix ?? field.name, {
      field: { ...field, name, description },
      operators: operator === undefined ? [] : [operator],
    });
  }
  return [...merged.values()].map(({ field, operators }) =>
    operators.length === 0
      ? field
      : { ...field, description: `Operators: ${operators.map((operator) => `\`${operator}\``).join(', ')}.` },
  );
}

function examplePath(path: string, parameters: Parameter[]): string {
  return path.replace(/\{([^}]+)\}/g, (placeholder, name: string) =>
    String(parameters.find((one) => one.in === 'path' && one.name === name)?.example ?? placeholder),
  );
}
