import type { Deployment } from '../deployment.ts';
import type { Tokens } from '../edge.ts';

/** What a check needs beside the deployment. */
export interface CheckContext extends Deployment {
  /** Somebody who may see all of the first customer. */
  tokens: Tokens;
}

/** Something that holds of a deployment of more than one process. */
export interface Check {
  /** What holds, as a sentence. */
  claim: string;
  /**
   * @returns what was seen
   * @throws {Breach} when it does not hold
   */
  run: (context: CheckContext) => Promise<string>;
}

/** What was seen instead. */
export class Breach extends Error {}

export function must(holds: boolean, seen: string): void {
  if (!holds) throw new Breach(seen);
}
