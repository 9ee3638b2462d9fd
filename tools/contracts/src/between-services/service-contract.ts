import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Schema } from '../document/openapi-document.ts';

/** What one service promises another one: `between-services/<name>.json`. */
export type ServiceContractName = 'introspection' | 'revocation-feed' | 'signing-keys';

interface File {
  request: {
    method: string;
    path: string;
    /** Patterns, by name in lower case. */
    headers: Record<string, string>;
    query?: Schema;
    body?: Schema;
  };
  answers: Record<
    string,
    { status: number; headers: Record<string, string>; schema: Schema; example: unknown }
  >;
}

export interface SentRequest {
  method: string | undefined;
  /** With its query. */
  url: string | undefined;
  headers: Record<string, string | string[] | undefined>;
  /** The text of the body. */
  body?: string;
}

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);

/**
 * Both sides are held to the same file: the provider's tests its real answers, the consumer's tests the requests that
 * they really send and everything that a stand-in for the provider answers.
 */
export class ServiceContract {
  private readonly file: File;

  constructor(name: ServiceContractName) {
    const place = new URL(`../../between-services/${name}.json`, import.meta.url);
    this.file = JSON.parse(readFileSync(place, 'utf8')) as File;
  }

  get request(): { method: string; path: string } {
    return this.file.request;
  }

  get answers(): string[] {
    return Object.keys(this.file.answers);
  }

  /** What a consumer's request has that the contract does not, or lacks; one line a fault. */
  requestFaults({ method, url = '', headers, body }: SentRequest): string[] {
    const { request } = this.file;
    const { pathname, searchParams } = new URL(url, 'http://provider');
    return [
      ...(method === request.method && pathname === request.path
        ? []
        : [`${method} ${pathname} is not in it`]),
      ...headerFaults(request.headers, (name) => headers[name]),
      ...schemaFaults(request.query ?? { maxProperties: 0 }, Object.fromEntries(searchParams), 'the query'),
      ...(request.body ? schemaFaults(request.body, parsed(body), 'the body') : []),
    ];
  }

  /** What a provider's answer in that case has that the contract does not, or lacks. */
  async answerFaults(which: string, answer: Response): Promise<string[]> {
    const due = this.answer(which);
    return [
      ...(answer.status === due.status ? [] : [`status ${answer.status}, not ${due.status}`]),
      ...headerFaults(due.headers, (name) => answer.headers.get(name) ?? undefined),
      ...schemaFaults(due.schema, parsed(await answer.text()), 'the body'),
    ];
  }

  /**
   * What a stand-in answers in that case: the example, with what the test needs to be otherwise.
   *
   * @throws {Error} when the provider would not say that
   */
  standInAnswer(which: string, changes: Record<string, unknown> = {}): { status: number; body: string } {
    const { status, schema, example } = this.answer(which);
    const body = { ...(example as object), ...changes };
    const faults = schemaFaults(schema, body, 'the body');
    if (faults.length > 0) throw new Error(`No provider answers that to "${which}": ${faults.join('; ')}`);
    return { status, body: JSON.stringify(body) };
  }

  private answer(which: string) {
    const answer = this.file.answers[which];
    if (!answer) throw new Error(`The contract has no "${which}", only ${this.answers.join(', ')}.`);
    return answer;
  }
}

function headerFaults(
  due: Record<string, string>,
  valueOf: (name: string) => string | string[] | undefined,
): string[] {
  return Object.entries(due)
    .filter(([name, pattern]) => !new RegExp(pattern).test(String(valueOf(name) ?? '')))
    .map(([name, pattern]) => `${name}: ${String(valueOf(name))}, which is not ${pattern}`);
}

function schemaFaults(schema: Schema, value: unknown, what: string): string[] {
  if (ajv.validate(schema, value)) return [];
  return (ajv.errors ?? []).map(
    ({ instancePath, message }) => `${what} at ${instancePath || '/'} ${message}`,
  );
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
