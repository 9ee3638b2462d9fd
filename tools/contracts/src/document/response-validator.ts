import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type HttpResponse, jsonBody, mediaTypeOf } from '../deployment/http-exchange.ts';
import { type Operation, operationFor, operationsOf, type RawDocument } from './openapi-document.ts';

/** Statuses without a body (RFC 9110, sections 15.3.5 and 15.4.5). */
const NO_BODY = [204, 304];

/** Validates responses against an OpenAPI document: status, headers, content type and body. */
export class ResponseValidator {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: false });
  private readonly compiled = new Map<string, ValidateFunction>();
  private readonly operations: Operation[];

  constructor(document: RawDocument) {
    this.operations = operationsOf(document);
    addFormats.default(this.ajv);
    this.ajv.addSchema({ $id: 'document', ...withoutOtherFields(document) });
  }

  /** Returns the operation of a response with one line per violation, or undefined for a request to no operation. */
  validate(response: HttpResponse): { operation: Operation; violations: string[] } | undefined {
    const operation = operationFor(this.operations, response.request.method, response.request.path);
    return operation && { operation, violations: this.violationsOf(operation, response) };
  }

  private violationsOf(operation: Operation, response: HttpResponse): string[] {
    // A `default` response covers rejections before the operation, which a check does not cause.
    const documented = operation.responses[String(response.status)];
    if (!documented) {
      return [
        `status ${response.status} is not documented (${Object.keys(operation.responses).join(', ')} are)`,
      ];
    }
    const pointer = `/paths/${escape(operation.path)}/${operation.method.toLowerCase()}/responses/${response.status}`;
    return [
      ...this.headerViolations(documented, pointer, response),
      ...this.bodyViolations(documented, pointer, response, operation.method),
    ];
  }

  private headerViolations(
    { headers = {} }: Operation['responses'][string],
    pointer: string,
    response: HttpResponse,
  ): string[] {
    return Object.entries(headers).flatMap(([name, { required, schema }]) => {
      const value = response.headers[name.toLowerCase()];
      if (value === undefined) return required ? [`the header ${name} is missing`] : [];
      if (!schema) return [];
      const parsed = schema.type === 'integer' || schema.type === 'number' ? Number(value) : value;
      return this.schemaViolations(`${pointer}/headers/${escape(name)}/schema`, parsed, `the header ${name}`);
    });
  }

  private bodyViolations(
    { content = {} }: Operation['responses'][string],
    pointer: string,
    response: HttpResponse,
    method: string,
  ): string[] {
    if (method === 'HEAD' || NO_BODY.includes(response.status)) {
      return response.text === '' ? [] : [`a ${response.status} must not have a body`];
    }
    const types = Object.keys(content);
    if (types.length === 0) return [];
    const mediaType = mediaTypeOf(response);
    if (!types.includes(mediaType)) return [`content type is "${mediaType}", not ${types.join(' or ')}`];
    const body = /[/+]json$/.test(mediaType) ? jsonBody(response) : response.text;
    if (body === undefined) return ['the body is not JSON'];
    return this.schemaViolations(`${pointer}/content/${escape(mediaType)}/schema`, body, 'the body');
  }

  private schemaViolations(pointer: string, value: unknown, what: string): string[] {
    let validate = this.compiled.get(pointer);
    if (!validate) {
      validate = this.ajv.compile({ $ref: `document#${encodeURI(pointer)}` });
      this.compiled.set(pointer, validate);
    }
    if (validate(value)) return [];
    return (validate.errors ?? [])
      .slice(0, 3)
      .map(({ instancePath, message, params }) =>
        `${what} at ${instancePath || '/'} ${message} ${JSON.stringify(params)}`.trim(),
      );
  }
}

/**
 * Forbids undocumented fields in responses. The document itself allows them, because clients must ignore the fields of later
 * versions.
 */
function withoutOtherFields(document: RawDocument): RawDocument {
  const schemas = Object.entries(document.components?.schemas ?? {}).map(([name, schema]) => [
    name,
    schema.properties ? { ...schema, unevaluatedProperties: false } : schema,
  ]);
  return { ...document, components: { ...document.components, schemas: Object.fromEntries(schemas) } };
}

function escape(part: string): string {
  return part.replaceAll('~', '~0').replaceAll('/', '~1');
}
