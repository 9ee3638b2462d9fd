import type { FrozenResponse } from './exchange.ts';

const CONTEXT_LENGTH = 60;

/**
 * Compares responses with the recorded ones of the same requests.
 *
 * @param isWhole whether a recorded response without a new one is a difference
 * @returns a text for each difference: the request, then the recorded and the new value
 */
export function describeDifferences(
  responses: Map<string, FrozenResponse>,
  recorded: Map<string, FrozenResponse>,
  { isWhole }: { isWhole: boolean },
): string[] {
  const differences: string[] = [];
  for (const [request, response] of responses) {
    const expected = recorded.get(request);
    if (expected === undefined) differences.push(`${request}\n  is not recorded`);
    else differences.push(...changes(expected, response).map((change) => `${request}\n  ${change}`));
  }
  if (isWhole)
    for (const request of recorded.keys())
      if (!responses.has(request)) differences.push(`${request}\n  is recorded, but was not sent`);
  return differences;
}

function changes(expected: FrozenResponse, actual: FrozenResponse): string[] {
  const found: string[] = [];
  if (expected.status !== actual.status) found.push(`status: ${expected.status} -> ${actual.status}`);
  for (const name of new Set([...Object.keys(expected.headers), ...Object.keys(actual.headers)])) {
    const [before, after] = [expected.headers[name], actual.headers[name]].map((value) =>
      JSON.stringify(value),
    );
    if (before !== after) found.push(`${name}: ${before ?? 'none'} -> ${after ?? 'none'}`);
  }
  if (expected.body !== actual.body) found.push(`body: ${describeTexts(expected.body, actual.body)}`);
  return found;
}

/** Shows the texts around their first difference. */
function describeTexts(before: string, after: string): string {
  let at = 0;
  while (at < before.length && before[at] === after[at]) at += 1;
  const excerpt = (text: string) =>
    JSON.stringify(text.slice(Math.max(0, at - CONTEXT_LENGTH), at + CONTEXT_LENGTH));
  return `at character ${at}\n    ${excerpt(before)}\n    ${excerpt(after)}`;
}
