import fc from 'fast-check';
import { type HttpRequest, summaryOf } from '../deployment/http-exchange.ts';
import type { Operation } from '../document/openapi-document.ts';
import { Violation } from '../rules/expectations.ts';
import { type Rule, rule } from '../rules/rule.ts';
import type { Target } from '../rules/target.ts';
import { RunError } from '../run-error.ts';
import { hostileRequests } from './hostile-requests.ts';
import { knownValues } from './known-values.ts';
import type { KnownValues } from './near-valid-values.ts';

interface BadInputOptions {
  casesPerRoute: number;
  seed: number;
  /** Token of a separate session for the sign-out route, which ends the session. */
  signOutToken: string | undefined;
}

/**
 * Returns one rule per route, which sends generated requests. It fails if a response is a 5xx or does not match the
 * document, with the smallest request that reproduces it.
 */
export async function badInputRules(target: Target, options: BadInputOptions): Promise<Rule[]> {
  const known = await knownValues(target);
  return target.operations.map((operation) =>
    rule(`bad-input: ${operation.id}`, 'docs/services.md#text', () =>
      sendCases(target, operation, known, options),
    ),
  );
}

async function sendCases(
  target: Target,
  operation: Operation,
  known: KnownValues,
  { casesPerRoute, seed, signOutToken }: BadInputOptions,
): Promise<string> {
  if (operation.method !== 'GET') target.requireWrite();
  const token = operation.path.endsWith('/auth/logout') ? signOutToken : target.options.token;
  const statuses = new Map<number, number>();
  const requests = hostileRequests(target.document, operation, { ...target.options, token, known });
  const property = fc.asyncProperty(requests, async (request) => {
    const { response, violations } = await target.exchange(request);
    const { status, text } = response;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const faults = status >= 500 ? [`${status} ${text.slice(0, 200)}`] : violations;
    if (faults.length > 0) throw new Violation(`${summaryOf(response)}: ${faults.join('; ')}`);
  });
  const outcome = await fc.check(property, { numRuns: casesPerRoute, seed });
  if (!outcome.failed) return countsOf(statuses);
  const failure = outcome.errorInstance;
  if (!(failure instanceof Violation) && !(failure instanceof RunError)) throw failure;
  throw new Violation(
    `${failure.message} by ${reproduction(outcome.counterexample![0])} (seed ${seed}, case ${outcome.numRuns})`,
  );
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
