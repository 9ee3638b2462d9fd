import { Skipped } from './expectations.ts';

const MAX_ATTEMPTS = 5;

/**
 * Repeats a comparison of several responses until no data arrives between them.
 *
 * @param attempt returns undefined if data arrived
 * @throws {Skipped} when data arrived during each attempt
 */
export async function withoutNewData<Result>(attempt: () => Promise<Result | undefined>): Promise<Result> {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const result = await attempt();
    if (result !== undefined) return result;
  }
  throw new Skipped(`data arrived during each of ${MAX_ATTEMPTS} attempts`);
}
