import { setTimeout as sleep } from 'node:timers/promises';

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
 * Waits until something is observed.
 *
 * @returns the time until then
 * @throws {CheckFailure} with the message when it takes longer than `limitMs`
 */
export async function expectWithin(
  limitMs: number,
  isObserved: () => Promise<boolean>,
  message: string,
): Promise<number> {
  const started = performance.now();
  while (!(await isObserved())) {
    expectThat(performance.now() - started < limitMs, `${message} after ${limitMs} ms`);
    await sleep(20);
  }
  return performance.now() - started;
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
