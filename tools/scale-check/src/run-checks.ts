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

/** Checks claims one after another and prints a line for each. @returns whether all hold */
export async function runChecks<Context>(
  checks: readonly Claim<Context>[],
  context: Context,
): Promise<boolean> {
  let allPassed = true;
  for (const { claim, run } of checks) {
    try {
      process.stdout.write(`PASS  ${claim}\n      ${await run(context)}\n`);
    } catch (error) {
      allPassed = false;
      process.stdout.write(`FAIL  ${claim}\n      ${(error as Error).message}\n`);
    }
  }
  return allPassed;
}
