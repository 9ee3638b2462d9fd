import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

/** A property of a deployment. */
export interface Claim<Context> {
  /** The property, as a sentence. */
  claim: string;
  /**
   * @returns what was observed
   * @throws {AssertionError} when the claim is false
   */
  run: (context: Context) => Promise<string>;
}

/** Reason of an aborted run. It is an Error, because node:test waits for the current test when the reason is not one. */
export class Interruption extends Error {
  readonly signal: NodeJS.Signals;

  constructor(signal: NodeJS.Signals) {
    super(`interrupted by ${signal}`);
    this.signal = signal;
  }
}

/**
 * Checks claims one after another with the test runner of Node, which prints them and sets the exit code.
 *
 * @param signal fires with an `Interruption`
 * @throws the reason of `signal` when it fires, without waiting for the current check
 */
export async function runChecks<Context>(
  checks: readonly Claim<Context>[],
  context: Context,
  signal: AbortSignal,
): Promise<void> {
  for (const { claim, run } of checks) {
    await test(claim, { signal }, async (t) => t.diagnostic(await run(context)));
    signal.throwIfAborted();
  }
}

/**
 * Waits until something is observed.
 *
 * @returns the time until then
 * @throws {AssertionError} with the message when it takes longer than `limitMs`
 */
export async function expectWithin(
  limitMs: number,
  isObserved: () => Promise<boolean>,
  message: string,
): Promise<number> {
  const started = performance.now();
  while (!(await isObserved())) {
    assert(performance.now() - started < limitMs, `${message} after ${limitMs} ms`);
    await sleep(20);
  }
  return performance.now() - started;
}
