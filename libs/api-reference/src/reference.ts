import type { OpenAPIObject } from '@nestjs/swagger';
import { type Field, type Schema, SchemaFields } from './schema-fields.ts';

/** The content of the API reference, from the OpenAPI document. */
export interface Reference {
  title: string;
  description: string;
  version: string;
  /** What the operations accept. */
  credentials: Credential[];
  groups: OperationGroup[];
  errors: {
    /** Fields of every error response. */
    fields: Field[];
    /** All errors of the operations, ordered by status. */
    statuses: ErrorStatus[];
  };
}

/** A security scheme. The header is, for example, `Authorization: Bearer ACCESS_TOKEN`. */
export interface Credential {
  /** Name of the scheme in the document. */
  scheme: string;
  /** For people. */
  name: string;
  header: string;
  /** Text before the credential in the header. */
  prefix: string;
  placeholder: string;
}

export interface ErrorStatus {
  status: string;
  /** Codes or a description. */
  text: string;
}

export interface OperationGroup {
  name: string;
  description: string;
  operations: Operation[];
}

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
interface RawOperation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content?: Content }>;
  security?: Record<string, unknown>[];
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Extracts the reference from a document of the service runtime, in which every operation has an id and a tag. */
export function referenceOf(document: OpenAPIObject): Reference {
  const schemas = new SchemaFields(document);
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const raw = item[method] as RawOperation | undefined;
      return raw ? [{ tag: raw.tags[0], operation: operationOf(method, path, raw, schemas) }] : [];
    }),
  );
  return {
    title: document.info.title,
    description: document.info.description ?? '',
    version: document.info.version,
    credentials: credentialsOf(document),
    errors: {
      fields: errorFields(document, schemas),
      statuses: mergeStatuses(operations.flatMap(({ operation }) => operation.errors)),
    },
    groups: (document.tags ?? []).map(({ name, description = '' }) => ({
      name,
      description,
      operations: operations.filter(({ tag }) => tag === name).map(({ operation }) => operation),
    })),
  };
}

function credentialsOf({ components }: OpenAPIObject): Credential[] {
  const schemes = Object.entries(components?.securitySchemes ?? {});
  // The token of an OAuth flow is sent as the bearer token of another scheme.
  const headers = schemes.filter(([, definition]) => !('type' in definition && definition.type === 'oauth2'));
  return headers.map(([scheme, definition]) =>
    'type' in definition && definition.type === 'apiKey'
      ? { scheme, name: 'API key', header: definition.name ?? '', prefix: '', placeholder: 'API_KEY' }
      : {
          scheme,
          name: 'Access token',
          header: 'Authorization',
          prefix: 'Bearer ',
          placeholder: 'ACCESS_TOKEN',
        },
  );
}

/** Returns the header with a placeholder. */
export const headerOf = ({ header, prefix, placeholder }: Credential): string =>
  `${header}: ${prefix}${placeholder}`;

/** Returns the fields of the first documented error; all errors of a service have the same. */
function errorFields(document: OpenAPIObject, schemas: SchemaFields): Field[] {
  for (const item of Object.values(document.paths)) {
    for (const method of METHODS) {
      const responses = Object.entries((item[method] as RawOperation | undefined)?.responses ?? {});
      const content = responses.find(([status]) => status.startsWith('4'))?.[1].content;
      const [media] = Object.values(content ?? {});
      // The values of the code differ per operation.
      if (media?.schema) return schemas.properties(media.schema).map((field) => ({ ...field, values: [] }));
    }
  }
  return [];
}

/** Merges the errors of all operations by status, with each code once. */
function mergeStatuses(errors: ErrorStatus[]): ErrorStatus[] {
  const texts = new Map<string, Set<string>>();
  for (const { status, text } of errors) {
    const known = texts.get(status) ?? new Set();
    for (const one of text.split(', or ')) known.add(one);
    texts.set(status, known);
  }
  return [...texts]
    .sort(([a], [b]) => a.localeCompare(b, 'en'))
    .map(([status, all]) => ({ status, text: [...all].join(', ').replaceAll('., ', '. ') }));
}

function operationOf(method: string, path: string, raw: RawOperation, schemas: SchemaFields): Operation {
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
      .map(([status, { description }]) => ({ status, text: description })),
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

/** Returns the operation as a command. @param publicUrl public URL of the service */
export function curlCommand(
  { method, examplePath: path, exampleQuery, security, isPublic, body }: Operation,
  publicUrl: string,
): string {
  const flag = exampleQuery.length > 0 ? '-G ' : method === 'GET' ? '' : `-X ${method} `;
  return [
    `curl ${flag}"${publicUrl}${path}"`,
    ...(security.includes('bearer') && !isPublic ? ['-H "Authorization: Bearer $ACCESS_TOKEN"'] : []),
    ...(security.includes('apiKey') ? ['-H "x-api-key: $API_KEY"'] : []),
    ...exampleQuery.map(([name, value]) =>
      /^[\w.,:/-]*$/.test(value)
        ? `-d '${name}=${value}'`
        : `--data-urlencode ${shellQuote(`${name}=${value}`)}`,
    ),
    ...(body
      ? [
          `-H 'Content-Type: ${body.contentType}'`,
          `-H 'Accept: application/json'`,
          `-d ${shellQuote(bodyText(body))}`,
        ]
      : []),
  ].join(' \\\n  ');
}

/** Returns the example of a body as it is sent. */
export function bodyText({ example, contentType }: NonNullable<Operation['body']>): string {
  return contentType === 'application/json'
    ? formatJson(example)
    : new URLSearchParams(example as Record<string, string>).toString();
}

const shellQuote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Longest array that is written on one line, in characters. */
const MAX_INLINE_ARRAY = 60;

/** Formats JSON with an indent of 2. A short array of plain values is on one line. */
export function formatJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(/\[\n([^[\]{}]*?)\n\s*\]/g, (array, items: string) => {
    const inline = `[${items.trim().replace(/,\n\s+/g, ', ')}]`;
    return inline.length > MAX_INLINE_ARRAY ? array : inline;
  });
}
