/** A property of a deployment. */
export interface Claim<Context> {
  /** The property, as a sentence. */
  claim: string;
  /**
   * @returns what was observed
   * @throws {CheckFailure} when the claim is false
   */
  run: (context: Context) => Promise<string>;
}

export class CheckFailure extends Error {}

export function expectThat(condition: boolean, message: string): void {
  if (!condition) throw new CheckFailure(message);
}

/**
 * Checks claims one after another and prints a line for each.
 *
 * @returns whether all hold
 * @throws the reason of `signal` when it fires, without waiting for the current check
 */
export async function runChecks<Context>(
  checks: readonly Claim<Context>[],
  context: Context,
  signal: AbortSignal,
): Promise<boolean> {
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  let allPassed = true;
  for (const { claim, run } of checks) {
    try {
      signal.throwIfAborted();
      process.stdout.write(`PASS  ${claim}\n      ${await Promise.race([run(context), aborted])}\n`);
    } catch (error) {
      signal.throwIfAborted();
      allPassed = false;
      process.stdout.write(`FAIL  ${claim}\n      ${(error as Error).message}\n`);
    }
  }
  return allPassed;
}
