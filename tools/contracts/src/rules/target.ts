import { type HttpRequest, type HttpResponse, summaryOf } from '../deployment/http-exchange.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { ResponseValidator } from '../document/response-validator.ts';
import { type Operation, operationsOf, type RawDocument } from '../document/openapi-document.ts';
import { expectThat, Skipped } from './expectations.ts';

export interface TargetOptions {
  /** Access token, from `--token-command`. */
  token?: string | undefined;
  /** Browser origin in the deployment's `ALLOWED_ORIGINS`. */
  origin?: string | undefined;
  /** One of the account service's `FRONTEND_URLS`. */
  frontendUrl?: string | undefined;
  /** Whether rules may change data. */
  write: boolean;
}

/** Responses of one operation. */
interface Observation {
  statuses: Set<number>;
  count: number;
  violations: Set<string>;
}

/** The deployment under test. Validates each response to a documented operation against the document. */
export class Target {
  readonly operations: Operation[];
  readonly document: RawDocument;
  readonly options: TargetOptions;
  /** By operation id. */
  readonly observed = new Map<string, Observation>();
  private readonly deployment: Pick<Deployment, 'send'>;
  private readonly validator: ResponseValidator;

  constructor(deployment: Pick<Deployment, 'send'>, document: RawDocument, options: TargetOptions) {
    this.deployment = deployment;
    this.document = document;
    this.options = options;
    this.operations = operationsOf(document);
    this.validator = new ResponseValidator(document);
  }

  /** Sends a request unchanged. Returns the response with what it violates in the document, one line each. */
  async exchange(request: HttpRequest): Promise<{ response: HttpResponse; violations: string[] }> {
    const response = this.withoutToken(await this.deployment.send(request));
    const { operation, violations } = this.validator.validate(response) ?? { violations: [] };
    if (operation) this.observe(operation, response, violations);
    return { response, violations };
  }

  /** @throws {Skipped} when the request hits a rate limit */
  async send(
    method: string,
    path: string,
    { headers = {}, body }: Partial<Pick<HttpRequest, 'headers' | 'body'>> = {},
  ): Promise<HttpResponse> {
    const { response } = await this.exchange({
      method,
      path,
      headers: { accept: 'application/json', ...headers },
      ...(body !== undefined && { body }),
    });
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

  /** @throws {Skipped} without `--origin` */
  origin(): string {
    if (this.options.origin === undefined) throw new Skipped('needs --origin');
    return this.options.origin;
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

  /** Replaces the access token in the path of the request: reports must not contain it. */
  private withoutToken(response: HttpResponse): HttpResponse {
    const { token } = this.options;
    if (token === undefined) return response;
    const { request } = response;
    return { ...response, request: { ...request, path: request.path.replaceAll(token, '<token>') } };
  }

  private observe({ id }: Operation, response: HttpResponse, violations: string[]): void {
    const observation = this.observed.get(id) ?? { statuses: new Set(), count: 0, violations: new Set() };
    this.observed.set(id, observation);
    observation.count += 1;
    observation.statuses.add(response.status);
    for (const violation of violations) observation.violations.add(`${summaryOf(response)}: ${violation}`);
  }
}

/** Skips the rule whose request hit a rate limit, provided that the response has `Retry-After`. */
function skipRateLimited(response: HttpResponse): never {
  const { 'retry-after': seconds } = response.headers;
  expectThat(/^\d+$/.test(seconds ?? ''), `${summaryOf(response)} has Retry-After ${seconds}`);
  throw new Skipped(`rate limited: ${summaryOf(response)}, retry after ${seconds} s`);
}
