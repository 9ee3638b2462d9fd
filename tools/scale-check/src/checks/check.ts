import type { Deployment } from '../deployment.ts';
import type { Tokens } from '../edge.ts';

export interface CheckContext extends Deployment {
  /** Of an administrator of the first customer. */
  tokens: Tokens;
}

/** A property of a deployment with more than one process of each service. */
export interface Check {
  /** The property, as a sentence. */
  claim: string;
  /**
   * @returns what was observed
   * @throws {CheckFailure} when the claim is false
   */
  run: (context: CheckContext) => Promise<string>;
}

export class CheckFailure extends Error {}

export function expectThat(condition: boolean, message: string): void {
  if (!condition) throw new CheckFailure(message);
}
