import { isDeepStrictEqual } from 'node:util';
import type { FleetSide } from './fleet-side.ts';
import type { Caller } from './requests.ts';

/** GPU health changes with the clock: a difference between two requests at the moment of a change disappears on repetition. */
const ATTEMPTS = 3;

/**
 * Sends requests to both sides.
 *
 * @returns the number of equal responses with status 200, and a description of each difference
 */
export async function compareResponses(
  [citus, control]: readonly [FleetSide, FleetSide],
  caller: Caller,
  paths: readonly string[],
): Promise<{ equal: number; differences: string[] }> {
  const differences: string[] = [];
  for (const path of paths) {
    let difference: string | null = null;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const [one, other] = await Promise.all([citus, control].map((side) => side.get(path, caller.access)));
      difference = differenceOf(one!, other!);
      if (difference === null) break;
    }
    if (difference !== null) differences.push(`${path} for ${caller.name}: ${difference}`);
  }
  return { equal: paths.length - differences.length, differences };
}

type Answer = Awaited<ReturnType<FleetSide['get']>>;

function differenceOf(citus: Answer, control: Answer): string | null {
  if (citus.status !== 200 || control.status !== 200)
    return `status ${citus.status}, control ${control.status}: ${citus.body.slice(0, 200)}`;
  const [one, other] = [citus, control].map(({ body }) => withoutToken(JSON.parse(body) as object));
  if (isDeepStrictEqual(one, other)) return null;
  const [text, expected] = [JSON.stringify(one), JSON.stringify(other)];
  const at = [...text].findIndex((char, n) => char !== expected[n]);
  return `${text.slice(Math.max(0, at - 60), at + 60)}, control ${expected.slice(Math.max(0, at - 60), at + 60)}`;
}

/** Page tokens contain sequence numbers, which depend on the batches of the import. */
function withoutToken(body: object): object {
  return 'next_page_token' in body ? { ...body, next_page_token: true } : body;
}
