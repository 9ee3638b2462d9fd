import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Schema } from '../../src/document/openapi-document.ts';

/** Name of a file `between-services/<name>.json`. */
export type ServiceContractName = 'introspection' | 'revocation-feed' | 'signing-keys';

interface ContractFile {
  request: {
    method: string;
    path: string;
    /** Regular expressions by header name in lower case. */
    headers: Record<string, string>;
    query?: Schema;
    body?: Schema;
  };
  responses: Record<
    string,
    { status: number; headers: Record<string, string>; schema: Schema; example: unknown }
  >;
}

interface SentRequest {
  method: string | undefined;
  /** Path and query. */
  url: string | undefined;
  headers: Record<string, string | string[] | undefined>;
  body?: string;
}

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);

/**
 * The request and responses that one service and its consumers agreed on. The provider's tests check its real responses
 * with it. The consumers' tests check their real requests and take the responses of their stubs from it.
 */
export class ServiceContract {
  private readonly file: ContractFile;

  constructor(name: ServiceContractName) {
    const url = new URL(`../../between-services/${name}.json`, import.meta.url);
    this.file = JSON.parse(readFileSync(url, 'utf8')) as ContractFile;
  }

  get request(): { method: string; path: string } {
    return this.file.request;
  }

  /** Names of the responses, one per case. */
  get cases(): string[] {
    return Object.keys(this.file.responses);
  }

  /** Lists what a consumer's request violates, one line each. */
  requestViolations({ method, url = '', headers, body }: SentRequest): string[] {
    const { request } = this.file;
    const { pathname, searchParams } = new URL(url, 'http://provider');
    return [
      ...(method === request.method && pathname === request.path
        ? []
        : [`${method} ${pathname} is not in the contract`]),
      ...headerViolations(request.headers, (name) => headers[name]),
      ...schemaViolations(
        request.query ?? { maxProperties: 0 },
        Object.fromEntries(searchParams),
        'the query',
      ),
      ...(request.body ? schemaViolations(request.body, parseJson(body), 'the body') : []),
    ];
  }

  /** Lists what a provider's response violates in that case, one line each. */
  async responseViolations(which: string, response: Response): Promise<string[]> {
    const expected = this.response(which);
    return [
      ...(response.status === expected.status
        ? []
        : [`status is ${response.status}, not ${expected.status}`]),
      ...headerViolations(expected.headers, (name) => response.headers.get(name) ?? undefined),
      ...schemaViolations(expected.schema, parseJson(await response.text()), 'the body'),
    ];
  }

  /**
   * Returns the example of that case with the changes that a test needs.
   *
   * @throws {Error} when the changed response violates the contract
   */
  stubResponse(which: string, changes: Record<string, unknown> = {}): { status: number; body: string } {
    const { status, schema, example } = this.response(which);
    const body = { ...(example as object), ...changes };
    const violations = schemaViolations(schema, body, 'the body');
    if (violations.length > 0)
      throw new Error(`The stub response for "${which}" violates the contract: ${violations.join('; ')}`);
    return { status, body: JSON.stringify(body) };
  }

  private response(which: string) {
    const response = this.file.responses[which];
    if (!response) throw new Error(`The contract has no case "${which}", only ${this.cases.join(', ')}.`);
    return response;
  }
}

function headerViolations(
  patterns: Record<string, string>,
  valueOf: (name: string) => string | string[] | undefined,
): string[] {
  return Object.entries(patterns)
    .filter(([name, pattern]) => !new RegExp(pattern).test(String(valueOf(name) ?? '')))
    .map(([name, pattern]) => `${name}: ${String(valueOf(name))} does not match ${pattern}`);
}

function schemaViolations(schema: Schema, value: unknown, what: string): string[] {
  if (ajv.validate(schema, value)) return [];
  return (ajv.errors ?? []).map(
    ({ instancePath, message }) => `${what} at ${instancePath || '/'} ${message}`,
  );
}

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
