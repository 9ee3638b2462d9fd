import fc from 'fast-check';
import { type HttpRequest, type HttpResponse, summaryOf } from '../deployment/http-exchange.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { ResponseValidator } from '../document/response-validator.ts';
import {
  type Operation,
  operationFor,
  operationsOf,
  type RawDocument,
} from '../document/openapi-document.ts';
import type { Finding } from '../rules/rule.ts';
import { RunError } from '../run-error.ts';
import { hostileRequests, type RequestSeeds } from './hostile-requests.ts';

export interface BadInputOptions {
  casesPerRoute: number;
  seed: number;
  /** Whether to send requests to routes that change data. */
  write: boolean;
  seeds: RequestSeeds;
  /** Token of a separate session for the sign-out route, which ends the session. */
  signOutToken?: string;
}

const CONCURRENT_ROUTES = 4;

/**
 * Fuzzes each route. Fails a route whose response is a 5xx or does not match the document, with the smallest request
 * that reproduces it.
 *
 * @param report receives the finding of each route as soon as it is known
 */
export async function sendBadInput(
  deployment: Pick<Deployment, 'send'>,
  document: RawDocument,
  options: BadInputOptions,
  report: (finding: Finding) => void,
): Promise<Finding[]> {
  const operations = operationsOf(document);
  const validator = new ResponseValidator(document);
  const findings = new Map<string, Finding>();
  const queue = [...operations];
  const work = async () => {
    for (let operation = queue.shift(); operation; operation = queue.shift()) {
      const finding = await fuzzOperation(operation);
      findings.set(operation.id, finding);
      report(finding);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_ROUTES }, work));
  return operations.map(({ id }) => findings.get(id)!);

  async function fuzzOperation(operation: Operation): Promise<Finding> {
    const started = performance.now();
    const outcome =
      operation.method === 'GET' || options.write
        ? await sendCases(operation)
        : { result: 'skipped' as const, detail: 'changes data: needs --write' };
    return {
      rule: `bad-input: ${operation.id}`,
      source: 'docs/services.md#text',
      ...outcome,
      milliseconds: performance.now() - started,
    };
  }

  async function sendCases(operation: Operation): Promise<Pick<Finding, 'result' | 'detail'>> {
    const statuses = new Map<number, number>();
    const token = operation.path.endsWith('/auth/logout') ? options.signOutToken : options.seeds.token;
    const { token: _token, ...seeds } = options.seeds;
    const requests = hostileRequests(document, operation, {
      ...seeds,
      ...(token !== undefined && { token }),
    });
    const property = fc.asyncProperty(requests, async (request) => {
      const response = await deployment.send(request);
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      const violations = violationsOf(response);
      if (violations.length > 0) throw new BadAnswer(response, violations);
    });
    const outcome = await fc.check(property, { numRuns: options.casesPerRoute, seed: options.seed });
    if (!outcome.failed) return { result: 'passed', detail: countsOf(statuses) };
    const failure = outcome.errorInstance;
    if (!(failure instanceof BadAnswer) && !(failure instanceof RunError)) throw failure;
    return {
      result: 'failed',
      detail: `${failure.message} by ${reproduction(outcome.counterexample![0])} (seed ${options.seed}, case ${outcome.numRuns})`,
    };
  }

  function violationsOf(response: HttpResponse): string[] {
    if (response.status >= 500) return [`${response.status} ${response.text.slice(0, 200)}`];
    const operation = operationFor(operations, response.request.method, response.request.path);
    return operation ? validator.violationsOf(operation, response) : [];
  }
}

class BadAnswer extends Error {
  constructor(response: HttpResponse, violations: string[]) {
    super(`${summaryOf(response)}: ${violations.join('; ')}`);
  }
}

function countsOf(statuses: Map<number, number>): string {
  const total = [...statuses.values()].reduce((sum, count) => sum + count, 0);
  const each = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${count} × ${status}`);
  return `${total} cases: ${each.join(', ')}`;
}

/** Returns the request as JSON without its access token: reports must not contain it. */
function reproduction({ method, path, headers, body }: HttpRequest): string {
  const shown = { ...headers };
  if (typeof shown.authorization === 'string' && shown.authorization.length > 100)
    shown.authorization = 'Bearer <token>';
  return JSON.stringify({
    method,
    path,
    headers: shown,
    ...(body !== undefined && {
      body: typeof body === 'string' ? body.slice(0, 500) : { base64: body.toString('base64') },
    }),
  });
}
