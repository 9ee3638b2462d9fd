import type { Deployment } from '../deployment.ts';
import type { Tokens } from '../edge.ts';
import type { Claim } from '../run-checks.ts';

export interface CheckContext extends Deployment {
  /** Of an administrator of the first customer. */
  tokens: Tokens;
}

/** A property of a deployment with more than one process of each service. */
export type Check = Claim<CheckContext>;

export class CheckFailure extends Error {}

export function expectThat(condition: boolean, message: string): void {
  if (!condition) throw new CheckFailure(message);
}
