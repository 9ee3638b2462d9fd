import fc from 'fast-check';
import { type Answer, jsonOf, nameOf, type Request } from '../deployment/answer.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { AnswerCheck } from '../document/answer-check.ts';
import {
  type Operation,
  operationFor,
  operationsOf,
  type RawDocument,
} from '../document/openapi-document.ts';
import type { Finding } from '../rules/rule.ts';
import { Unusable } from '../unusable.ts';
import { hostileRequests, type RequestSeeds } from './hostile-requests.ts';

export interface BadInputOptions {
  casesPerRoute: number;
  seed: number;
  /** Whether routes that change data are tried too. */
  write: boolean;
  seeds: RequestSeeds;
  /** For the route that ends the session of the token it gets: one of its own. */
  spareToken?: string;
}

/** Refusals of the connection itself, before there is a route (RFC 9110, 9112): no document lists them. */
const CONNECTION_REFUSALS = [408, 417, 431];
const ROUTES_AT_ONCE = 4;

/**
 * Sends each route that many hostile requests. No answer may be a 5xx, and each must be one that the document allows;
 * what breaks that is shrunk to the least request that still does.
 *
 * @param report hears of each route as it is done
 */
export async function sendBadInput(
  deployment: Pick<Deployment, 'send'>,
  document: RawDocument,
  options: BadInputOptions,
  report: (finding: Finding) => void,
): Promise<Finding[]> {
  const operations = operationsOf(document);
  const check = new AnswerCheck(document);
  const findings = new Map<string, Finding>();
  const waiting = [...operations];
  const work = async () => {
    for (let operation = waiting.shift(); operation; operation = waiting.shift()) {
      const finding = await tryOperation(operation);
      findings.set(operation.id, finding);
      report(finding);
    }
  };
  await Promise.all(Array.from({ length: ROUTES_AT_ONCE }, work));
  return operations.map(({ id }) => findings.get(id)!);

  async function tryOperation(operation: Operation): Promise<Finding> {
    const started = performance.now();
    const { result, seen } =
      operation.method === 'GET' || options.write
        ? await hammer(operation)
        : { result: 'not seen' as const, seen: 'changes data: needs --write' };
    return {
      rule: `bad-input: ${operation.id}`,
      source: 'decisions 1, Text; openapi.json',
      result,
      seen,
      milliseconds: performance.now() - started,
    };
  }

  async function hammer(operation: Operation): Promise<Pick<Finding, 'result' | 'seen'>> {
    const statuses = new Map<number, number>();
    const token = operation.path.endsWith('/auth/logout') ? options.spareToken : options.seeds.token;
    const { token: _token, ...seeds } = options.seeds;
    const requests = hostileRequests(document, operation, {
      ...seeds,
      ...(token !== undefined && { token }),
    });
    const property = fc.asyncProperty(requests, async (request) => {
      const answer = await deployment.send(request);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      const faults = faultsOf(answer);
      if (faults.length > 0) throw new BadAnswer(answer, faults);
    });
    const outcome = await fc.check(property, { numRuns: options.casesPerRoute, seed: options.seed });
    if (!outcome.failed) return { result: 'holds', seen: countsOf(statuses) };
    const failure = outcome.errorInstance;
    if (!(failure instanceof BadAnswer) && !(failure instanceof Unusable)) throw failure;
    return {
      result: 'broken',
      seen: `${failure.message} by ${reproduction(outcome.counterexample![0])} (seed ${options.seed}, case ${outcome.numRuns})`,
    };
  }

  function faultsOf(answer: Answer): string[] {
    if (answer.status >= 500) return [`${answer.status} ${answer.text.slice(0, 200)}`];
    if (CONNECTION_REFUSALS.includes(answer.status)) {
      return jsonOf(answer) === undefined ? [`${answer.status} without a JSON body`] : [];
    }
    const operation = operationFor(operations, answer.request.method, answer.request.path);
    return operation ? check.faultsOf(operation, answer) : [];
  }
}

class BadAnswer extends Error {
  constructor(answer: Answer, faults: string[]) {
    super(`${nameOf(answer)}: ${faults.join('; ')}`);
  }
}

function countsOf(statuses: Map<number, number>): string {
  const total = [...statuses.values()].reduce((sum, count) => sum + count, 0);
  const each = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${count} × ${status}`);
  return `${total} cases: ${each.join(', ')}`;
}

/** The request without its credential, which belongs in no report. */
function reproduction({ method, path, headers, body }: Request): string {
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
