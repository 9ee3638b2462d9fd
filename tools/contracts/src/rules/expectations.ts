import { type HttpResponse, jsonBody, mediaTypeOf, summaryOf } from '../deployment/http-exchange.ts';

/** The deployment breaks the rule. */
export class Violation extends Error {
  override name = 'Violation';
}

/** This deployment has nothing to check the rule with, so it neither passes nor fails. */
export class Skipped extends Error {
  override name = 'Skipped';
}

/** @throws {Violation} with the message, unless the condition is true */
export function expectThat(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Violation(message);
}

/** @throws {Violation} naming the first difference, unless both are the same JSON in any order of keys */
export function expectSame(actual: unknown, expected: unknown, what: string): void {
  const difference = firstDifference(actual, expected);
  if (!difference) return;
  const { pointer, actual: found, expected: wanted } = difference;
  const location = pointer === '' ? what : `${what} at ${pointer}`;
  throw new Violation(`${location}: expected ${brief(textOf(wanted))}, got ${brief(textOf(found))}`);
}

/** @throws {Violation} naming two neighbors that are not in order */
export function expectSorted<Value>(
  values: readonly Value[],
  compare: (a: Value, b: Value) => number,
  what: string,
): void {
  values.slice(1).forEach((value, n) => {
    const before = values[n] as Value;
    expectThat(
      compare(before, value) <= 0,
      `${what}: ${JSON.stringify(before)} is before ${JSON.stringify(value)}`,
    );
  });
}

/** Also compares infinite numbers. */
export const ascending = (a: number, b: number) => Number(a > b) - Number(a < b);
export const descending = (a: number, b: number) => ascending(b, a);

/** @throws {Violation} unless a filter lists rows, and those that match alone */
export function expectOnly<Row>(rows: readonly Row[], isMatch: (row: Row) => boolean, filter: string): void {
  const wrong = rows.find((row) => !isMatch(row));
  expectThat(rows.length > 0 && !wrong, `${filter} lists ${JSON.stringify(wrong ?? 'nothing')}`);
}

/**
 * Returns the JSON body.
 *
 * @throws {Violation} for another status
 */
export function expectStatus<Body>(response: HttpResponse, status: number): Body {
  expectThat(
    response.status === status,
    `expected ${status}, got ${summaryOf(response)}: ${brief(response.text)}`,
  );
  return jsonBody(response) as Body;
}

/**
 * Checks a header. The message names a cookie without its value, because reports are shared.
 *
 * @param expected undefined: the response lacks the header
 */
export function expectHeader(
  response: HttpResponse,
  name: string,
  expected: string | RegExp | undefined,
): void {
  const value = response.headers[name];
  const isExpected = expected instanceof RegExp ? expected.test(value ?? '') : value === expected;
  const shown = name === 'set-cookie' ? value?.split('=', 1)[0] : value;
  expectThat(isExpected, `${summaryOf(response)} has ${name} "${shown}", expected ${expected ?? 'none'}`);
}

/** Checks the status and the media type of a response, whatever its parameters. */
export function expectType(response: HttpResponse, type: string, status = 200): void {
  expectStatus(response, status);
  const { accept } = response.request.headers;
  const request = accept === undefined ? '' : ` for Accept ${String(accept)}`;
  const actual = mediaTypeOf(response);
  expectThat(actual === type, `${summaryOf(response)}${request} is ${actual}, expected ${type}`);
}

/**
 * Returns the check of a service's errors, whose bodies have two fields.
 *
 * @param code name of the field that a program can compare
 * @param message name of the field with a sentence
 */
export const errorWith =
  (code: string, message: string) =>
  /** @throws {Violation} unless it is that error */
  (response: HttpResponse, status: number, expectedCode: string, why: string): void => {
    const body = jsonBody(response) as Record<string, unknown> | undefined;
    expectThat(
      response.status === status && body?.[code] === expectedCode,
      `${why}: expected ${status} ${expectedCode}, got ${summaryOf(response)} ${response.text.slice(0, 120)}`,
    );
    expectSame(Object.keys(body).sort(), [code, message].sort(), `fields of ${summaryOf(response)}`);
    expectThat(
      typeof body[message] === 'string' && body[message] !== '',
      `${summaryOf(response)} has no ${message}`,
    );
  };

interface Difference {
  /** A JSON pointer (RFC 6901), without its escapes. */
  pointer: string;
  actual: unknown;
  expected: unknown;
}

function firstDifference(actual: unknown, expected: unknown, pointer = ''): Difference | undefined {
  const [own, other] = [membersOf(actual), membersOf(expected)];
  if (!own || !other || Array.isArray(actual) !== Array.isArray(expected)) {
    return Object.is(actual, expected) ? undefined : { pointer, actual, expected };
  }
  // Arrays of different lengths are reported whole: the index of the first difference would mislead.
  if (Array.isArray(actual) && own.size !== other.size) return { pointer, actual, expected };
  for (const name of new Set([...other.keys(), ...own.keys()])) {
    const difference = firstDifference(own.get(name), other.get(name), `${pointer}/${name}`);
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
