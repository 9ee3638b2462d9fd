import { RunError } from '../run-error.ts';
import { Skipped, Violation } from './expectations.ts';
import type { Rule } from './rule.ts';
import type { Target } from './target.ts';

export interface Finding {
  rule: string;
  source: string;
  result: 'passed' | 'failed' | 'skipped';
  detail: string;
  milliseconds: number;
}

/**
 * Checks rules and returns their findings in the same order.
 *
 * @param report receives each finding as soon as it is known
 * @param concurrency number of rules at a time; above 1, requests of one rule can change what another observes
 */
export async function checkRules(
  rules: Rule[],
  target: Target,
  report: (finding: Finding) => void,
  concurrency = 1,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const queue = rules.entries();
  const checkQueued = async () => {
    for (const [index, rule] of queue) {
      const finding = await findingOf(rule, target);
      findings[index] = finding;
      report(finding);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, checkQueued));
  return findings;
}

async function findingOf(rule: Rule, target: Target): Promise<Finding> {
  const started = performance.now();
  const outcome = await outcomeOf(rule, target);
  return {
    rule: rule.name,
    source: rule.source,
    ...outcome,
    milliseconds: performance.now() - started,
  };
}

async function outcomeOf(rule: Rule, target: Target): Promise<Pick<Finding, 'result' | 'detail'>> {
  try {
    return { result: 'passed', detail: await rule.check(target) };
  } catch (failure) {
    if (failure instanceof Skipped) return { result: 'skipped', detail: failure.message };
    // The deployment was reachable before, so a request without a response fails its rule only.
    if (failure instanceof Violation || failure instanceof RunError)
      return { result: 'failed', detail: failure.message };
    // The rule read a field of a body that has another shape.
    if (failure instanceof TypeError)
      return { result: 'failed', detail: `unexpected response body: ${failure.message}` };
    throw failure;
  }
}
