import type { OpenAPIObject } from '@nestjs/swagger';
import { type ErrorStatus, METHODS, type Operation, operationOf, type RawOperation } from './operation.ts';
import { type Field, SchemaFields } from './schema-fields.ts';

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

interface OperationGroup {
  name: string;
  description: string;
  operations: Operation[];
}

/** Extracts the reference from a document of the service runtime, in which every operation has an id and a tag. */
export function referenceOf(document: OpenAPIObject): Reference {
  const schemas = new SchemaFields(document);
  const raws = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => ({
      path,
      method,
      raw: item[method] as RawOperation,
    })),
  );
  const operations = raws.map(({ path, method, raw }) => ({
    tag: raw.tags[0],
    operation: operationOf(method, path, raw, schemas),
  }));
  return {
    title: document.info.title,
    description: document.info.description ?? '',
    version: document.info.version,
    credentials: credentialsOf(document),
    errors: {
      fields: errorFields(
        raws.map(({ raw }) => raw),
        schemas,
      ),
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
function errorFields(operations: RawOperation[], schemas: SchemaFields): Field[] {
  const schema = operations
    .flatMap(({ responses }) => Object.entries(responses).filter(([status]) => status.startsWith('4')))
    .map(([, { content = {} }]) => Object.values(content)[0]?.schema)
    .find((one) => one !== undefined);
  // The values of the code differ per operation.
  return schema ? schemas.properties(schema).map((field) => ({ ...field, values: [] })) : [];
}

/** Merges the errors of all operations by status, with each text once. */
function mergeStatuses(errors: ErrorStatus[]): ErrorStatus[] {
  const byStatus = Map.groupBy(errors, ({ status }) => status);
  return [...byStatus]
    .sort(([a], [b]) => a.localeCompare(b, 'en'))
    .map(([status, same]) => ({ status, texts: [...new Set(same.flatMap(({ texts }) => texts))] }));
}

/** Joins the codes of an error; sentences follow each other. */
export const errorText = ({ texts }: ErrorStatus, separator: ', ' | ', or '): string =>
  texts.join(texts[0]?.endsWith('.') ? ' ' : separator);
