import { Unusable } from '../unusable.ts';
import { Breach, type Finding, NotSeen, type Rule } from './rule.ts';

/**
 * Holds the rules one after the other, so that what one sees is not another one's doing.
 *
 * @param report hears of each finding as it is made
 */
export async function holdRules<Subject>(
  rules: Rule<Subject>[],
  subject: Subject,
  report: (finding: Finding) => void,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const rule of rules) {
    const started = performance.now();
    const { result, seen } = await outcomeOf(rule, subject);
    const finding = {
      rule: rule.name,
      source: rule.source,
      result,
      seen,
      milliseconds: performance.now() - started,
    };
    findings.push(finding);
    report(finding);
  }
  return findings;
}

async function outcomeOf<Subject>(
  rule: Rule<Subject>,
  subject: Subject,
): Promise<Pick<Finding, 'result' | 'seen'>> {
  try {
    return { result: 'holds', seen: await rule.hold(subject) };
  } catch (failure) {
    if (failure instanceof NotSeen) return { result: 'not seen', seen: failure.message };
    // No answer to one request, when others were answered, breaks the rule that asked.
    if (failure instanceof Breach || failure instanceof Unusable) {
      return { result: 'broken', seen: failure.message };
    }
    // A body of another shape than the rule reads.
    if (failure instanceof TypeError)
      return { result: 'broken', seen: `unreadable answer: ${failure.message}` };
    throw failure;
  }
}
