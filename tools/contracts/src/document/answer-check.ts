import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type Answer, jsonOf, mediaTypeOf } from '../deployment/answer.ts';
import type { Operation, RawDocument } from './openapi-document.ts';

/** Statuses without a body (RFC 9110, sections 15.3.5 and 15.4.5). */
const BODILESS = [204, 304];

/** Tells what an answer has that the document does not promise, or lacks that it does. */
export class AnswerCheck {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: false });
  private readonly compiled = new Map<string, ValidateFunction>();

  constructor(document: RawDocument) {
    addFormats.default(this.ajv);
    this.ajv.addSchema({ $id: 'document', ...document });
  }

  /** @returns one line a fault */
  faultsOf(operation: Operation, answer: Answer): string[] {
    const response = operation.responses[String(answer.status)] ?? operation.responses.default;
    if (!response) {
      return [
        `status ${answer.status} is not documented (${Object.keys(operation.responses).join(', ')} are)`,
      ];
    }
    const pointer = `/paths/${escape(operation.path)}/${operation.method.toLowerCase()}/responses/${
      operation.responses[String(answer.status)] ? answer.status : 'default'
    }`;
    return [
      ...this.headerFaults(response, pointer, answer),
      ...this.bodyFaults(response, pointer, answer, operation.method),
    ];
  }

  private headerFaults(
    { headers = {} }: Operation['responses'][string],
    pointer: string,
    answer: Answer,
  ): string[] {
    return Object.entries(headers).flatMap(([name, { required, schema }]) => {
      const value = answer.headers[name.toLowerCase()];
      if (value === undefined) return required ? [`the header ${name} is missing`] : [];
      if (!schema) return [];
      const given = schema.type === 'integer' || schema.type === 'number' ? Number(value) : value;
      return this.schemaFaults(`${pointer}/headers/${escape(name)}/schema`, given, `the header ${name}`);
    });
  }

  private bodyFaults(
    { content = {} }: Operation['responses'][string],
    pointer: string,
    answer: Answer,
    method: string,
  ): string[] {
    if (method === 'HEAD' || BODILESS.includes(answer.status)) {
      return answer.text === '' ? [] : [`a ${answer.status} has a body`];
    }
    const types = Object.keys(content);
    if (types.length === 0) return [];
    const mediaType = mediaTypeOf(answer);
    if (!types.includes(mediaType)) return [`content type "${mediaType}", not ${types.join(' or ')}`];
    const body = jsonOf(answer);
    if (body === undefined) return ['the body is not JSON'];
    return this.schemaFaults(`${pointer}/content/${escape(mediaType)}/schema`, body, 'the body');
  }

  private schemaFaults(pointer: string, value: unknown, what: string): string[] {
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

function escape(part: string): string {
  return part.replaceAll('~', '~0').replaceAll('/', '~1');
}
