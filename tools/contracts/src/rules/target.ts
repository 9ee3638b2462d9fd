import { type HttpRequest, type HttpResponse, summaryOf } from '../deployment/http-exchange.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { ResponseValidator } from '../document/response-validator.ts';
import {
  type Operation,
  operationFor,
  operationsOf,
  type RawDocument,
} from '../document/openapi-document.ts';
import { expectThat, type Finding, Skipped } from './rule.ts';

export interface TargetOptions {
  /** Access token, from `--token-command`. */
  token?: string;
  /** Browser origin in the deployment's `ALLOWED_ORIGINS`. */
  origin?: string;
  /** One of the account service's `FRONTEND_URLS`. */
  frontendUrl?: string;
  /** Whether rules may change data. */
  write: boolean;
}

/** The deployment under test. Validates each response to a documented operation against the document. */
export class Target {
  readonly operations: Operation[];
  readonly document: RawDocument;
  readonly options: TargetOptions;
  private readonly deployment: Pick<Deployment, 'send'>;
  private readonly validator: ResponseValidator;
  private readonly observed = new Map<
    string,
    { statuses: Set<number>; count: number; violations: Set<string> }
  >();

  constructor(deployment: Pick<Deployment, 'send'>, document: RawDocument, options: TargetOptions) {
    this.deployment = deployment;
    this.document = document;
    this.options = options;
    this.operations = operationsOf(document);
    this.validator = new ResponseValidator(document);
  }

  async send(
    method: string,
    path: string,
    { headers = {}, body }: Partial<Pick<HttpRequest, 'headers' | 'body'>> = {},
  ): Promise<HttpResponse> {
    const response = await this.deployment.send({
      method,
      path,
      headers: { accept: 'application/json', ...headers },
      ...(body !== undefined && { body }),
    });
    this.validate(response);
    if (response.status === 429) skipRateLimited(response);
    return response;
  }

  /** Sends a GET without a credential. */
  get(path: string, headers: HttpRequest['headers'] = {}): Promise<HttpResponse> {
    return this.send('GET', path, { headers });
  }

  /** Sends a GET with the access token. */
  async read(path: string, headers: HttpRequest['headers'] = {}): Promise<HttpResponse> {
    return this.get(path, { ...this.bearer(), ...headers });
  }

  /** Posts a JSON body, or a string as it is. Sends no token unless the headers contain one. */
  post(path: string, body: unknown, headers: HttpRequest['headers'] = {}): Promise<HttpResponse> {
    return this.send('POST', path, {
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }

  /** @throws {Skipped} without a `--token-command` */
  bearer(): { authorization: string } {
    if (this.options.token === undefined) throw new Skipped('needs --token-command');
    return { authorization: `Bearer ${this.options.token}` };
  }

  /** Replaces the access token in a text: reports must not contain it. */
  redactToken(text: string): string {
    const { token } = this.options;
    return token === undefined ? text : text.replaceAll(token, '<token>');
  }

  /** @throws {Skipped} without `--write` */
  requireWrite(): void {
    if (!this.options.write) throw new Skipped('changes data: needs --write');
  }

  /** Returns the GET operations without required parameters. */
  plainReads(): Operation[] {
    return this.operations.filter(
      ({ method, path, parameters, responses }) =>
        method === 'GET' &&
        '200' in responses &&
        !path.includes('{') &&
        parameters.every(({ required }) => !required),
    );
  }

  /** Returns one finding per operation: whether its responses matched the document. */
  documentFindings(): Finding[] {
    return this.operations.map(({ id }) => {
      const responses = this.observed.get(id);
      const statuses = [...(responses?.statuses ?? [])].sort().join(', ');
      return {
        rule: `as-documented: ${id}`,
        source: 'openapi.json',
        result: !responses ? 'skipped' : responses.violations.size > 0 ? 'failed' : 'passed',
        detail: !responses
          ? 'no rule requested it'
          : responses.violations.size > 0
            ? [...responses.violations].slice(0, 3).join('; ')
            : `${responses.count} responses: ${statuses}`,
        milliseconds: 0,
      };
    });
  }

  private validate(response: HttpResponse): void {
    const operation = operationFor(this.operations, response.request.method, response.request.path);
    if (!operation) return;
    const seen = this.observed.get(operation.id) ?? { statuses: new Set(), count: 0, violations: new Set() };
    this.observed.set(operation.id, seen);
    seen.count += 1;
    seen.statuses.add(response.status);
    for (const violation of this.validator.violationsOf(operation, response))
      seen.violations.add(this.redactToken(`${summaryOf(response)}: ${violation}`));
  }
}

/** Skips the rule whose request hit a rate limit, provided that the response has `Retry-After`. */
function skipRateLimited(response: HttpResponse): never {
  const { 'retry-after': seconds } = response.headers;
  expectThat(/^\d+$/.test(seconds ?? ''), `${summaryOf(response)} has Retry-After ${seconds}`);
  throw new Skipped(`rate limited: ${summaryOf(response)}, retry after ${seconds} s`);
}
