import { RunError } from '../run-error.ts';
import { type Finding, type Rule, Skipped, Violation } from './rule.ts';

/**
 * Checks the rules one after the other, so that requests of one rule cannot change what another observes.
 *
 * @param report receives each finding as soon as it is known
 */
export async function checkRules<Target>(
  rules: Rule<Target>[],
  target: Target,
  report: (finding: Finding) => void,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const rule of rules) {
    const started = performance.now();
    const outcome = await outcomeOf(rule, target);
    const finding = {
      rule: rule.name,
      source: rule.source,
      ...outcome,
      milliseconds: performance.now() - started,
    };
    findings.push(finding);
    report(finding);
  }
  return findings;
}

async function outcomeOf<Target>(
  rule: Rule<Target>,
  target: Target,
): Promise<Pick<Finding, 'result' | 'detail'>> {
  try {
    return { result: 'passed', detail: await rule.check(target) };
  } catch (failure) {
    if (failure instanceof Skipped) return { result: 'skipped', detail: failure.message };
    // The deployment was reachable before, so a request without a response fails its rule only.
    if (failure instanceof Violation || failure instanceof RunError) {
      return { result: 'failed', detail: failure.message };
    }
    // The rule read a field of a body that has another shape.
    if (failure instanceof TypeError)
      return { result: 'failed', detail: `unexpected response body: ${failure.message}` };
    throw failure;
  }
}
