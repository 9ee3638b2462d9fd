/** One sentence of the contract, held against a deployment. */
export interface Rule<Subject> {
  /** Short and stable, for reports: words with hyphens. */
  name: string;
  /** Where the rule stands, such as `contract 4.2, list rule 4`. */
  source: string;
  /**
   * @returns what was seen, in a few words
   * @throws {Breach} when the rule is broken
   * @throws {NotSeen} when this deployment cannot show it
   */
  hold(subject: Subject): Promise<string>;
}

/** The deployment does not do what the rule says. */
export class Breach extends Error {
  override name = 'Breach';
}

/** The rule may hold or not: there is nothing here to see it by. */
export class NotSeen extends Error {
  override name = 'NotSeen';
}

export interface Finding {
  rule: string;
  source: string;
  result: 'holds' | 'broken' | 'not seen';
  seen: string;
  milliseconds: number;
}

/** @throws {Breach} with what was seen, unless it is so */
export function expectThat(isSo: boolean, otherwise: string): asserts isSo {
  if (!isSo) throw new Breach(otherwise);
}

/** @throws {Breach} unless both are the same JSON, whatever the order of keys; it says where they first differ */
export function expectSame(actual: unknown, expected: unknown, what: string): void {
  const difference = firstDifference(actual, expected);
  if (!difference) return;
  const { at, is, due } = difference;
  const place = at === '' ? what : `${what} at ${at}`;
  throw new Breach(`${place}: ${brief(textOf(is))}, where ${brief(textOf(due))} is due`);
}

interface Difference {
  /** A JSON pointer. */
  at: string;
  is: unknown;
  due: unknown;
}

function firstDifference(is: unknown, due: unknown, at = ''): Difference | undefined {
  const [own, other] = [membersOf(is), membersOf(due)];
  if (!own || !other || Array.isArray(is) !== Array.isArray(due)) {
    return Object.is(is, due) ? undefined : { at, is, due };
  }
  // Lists of another length are told whole: an index says little.
  if (Array.isArray(is) && own.size !== other.size) return { at, is, due };
  for (const name of new Set([...other.keys(), ...own.keys()])) {
    const difference = firstDifference(own.get(name), other.get(name), `${at}/${name}`);
    if (difference) return difference;
  }
  return undefined;
}

function membersOf(value: unknown): Map<string, unknown> | undefined {
  return value === null || typeof value !== 'object' ? undefined : new Map(Object.entries(value));
}

function textOf(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}

export function brief(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
