import { readFileSync } from 'node:fs';

/** A JSON Schema. Each `$ref` points into the document. */
export type Schema = Record<string, unknown>;

export interface Parameter {
  name: string;
  in: 'query' | 'header' | 'path' | 'cookie';
  required: boolean;
  schema: Schema;
}

interface Response {
  description?: string;
  content?: Record<string, { schema?: Schema }>;
  headers?: Record<string, { required?: boolean; schema?: Schema }>;
}

export interface Operation {
  id: string;
  /** Upper case. */
  method: string;
  /** With parameters in braces: `/alerts/{id}`. */
  path: string;
  parameters: Parameter[];
  /** Schema of the JSON body. */
  body?: { schema: Schema; required: boolean };
  responses: Record<string, Response>;
  /** Whether the operation requires a bearer token. */
  secured: boolean;
}

interface RawOperation {
  operationId?: string;
  parameters?: (Omit<Parameter, 'required' | 'schema'> & { required?: boolean; schema?: Schema })[];
  requestBody?: { required?: boolean; content?: Record<string, { schema?: Schema }> };
  responses?: Record<string, Response>;
  security?: object[];
}

export interface RawDocument {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, Record<string, RawOperation>>;
  components?: { schemas?: Record<string, Schema> };
}

/** Folders in `apps/`. */
export const SERVICE_FOLDERS = { fleet: 'fleet-api', account: 'account-service', website: 'website-api' };

export type ServiceName = keyof typeof SERVICE_FOLDERS;

/** Returns the document committed in the service's folder. */
export function committedDocument(service: ServiceName): RawDocument {
  const file = new URL(`../../../../apps/${SERVICE_FOLDERS[service]}/openapi.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as RawDocument;
}

/** Whether a requirement is empty, so that a request needs no credential. */
const isOptional = (security: object[]) =>
  security.some((requirement) => Object.keys(requirement).length === 0);

/** Returns all operations in the document's order. */
export function operationsOf(document: RawDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => {
      const schema = raw.requestBody?.content?.['application/json']?.schema;
      return {
        id: raw.operationId ?? `${method} ${path}`,
        method: method.toUpperCase(),
        path,
        parameters: (raw.parameters ?? []).map((parameter) => ({
          ...parameter,
          required: parameter.required ?? false,
          schema: parameter.schema ?? {},
        })),
        ...(schema && { body: { schema, required: raw.requestBody?.required ?? false } }),
        responses: raw.responses ?? {},
        secured: (raw.security ?? []).length > 0 && !isOptional(raw.security!),
      };
    }),
  );
}

/**
 * Finds the operation of a request, preferring paths without parameters. Returns undefined for a path that cannot be
 * percent-decoded.
 */
export function operationFor(operations: Operation[], method: string, path: string): Operation | undefined {
  const pathname = path.split('?', 1)[0]!.replace(/(?<=.)\/$/, '');
  if (!isDecodable(pathname)) return undefined;
  return operations
    .filter((operation) => operation.method === method && patternOf(operation.path).test(pathname))
    .sort((a, b) => a.path.split('{').length - b.path.split('{').length)[0];
}

function isDecodable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== undefined;
  } catch {
    return false;
  }
}

function patternOf(path: string): RegExp {
  const literal = path.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replace(/\{[^}]+\}/g, '[^/]+')}$`);
}

/** Resolves a reference into the document. Returns any other schema unchanged. */
export function resolve(document: RawDocument, schema: Schema): Schema {
  const name = /^#\/components\/schemas\/(.+)$/.exec(String(schema.$ref ?? ''))?.[1];
  return name === undefined ? schema : resolve(document, document.components?.schemas?.[name] ?? {});
}
