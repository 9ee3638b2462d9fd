import type { Target } from './target.ts';

/** One requirement of the contract, checked against a deployment. */
export interface Rule {
  /** Short and stable, for reports: words with hyphens. */
  name: string;
  /** The page that states the requirement, such as `docs/fleet-api.md#sorting`. */
  source: string;
  /**
   * @returns a short description of what was checked, for the report
   * @throws {Violation} when the deployment breaks the rule
   * @throws {Skipped} when this deployment has nothing to check it with
   */
  check(target: Target): string | Promise<string>;
}

/** Builds a rule, like a test of a test runner. */
export function rule(name: string, source: string, check: Rule['check']): Rule {
  return { name, source, check };
}
