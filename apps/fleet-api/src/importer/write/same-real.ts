/**
 * Returns whether PostgreSQL may store two numbers as the same `real`. It rounds the decimal text of a number, which may be on the other
 * side of the middle between two values than the number itself, so a number in the middle is the same as both.
 */
export function isSameReal(a: number, b: number): boolean {
  const real = Math.fround(a);
  return [b, b * (1 - Number.EPSILON), b * (1 + Number.EPSILON)].some((near) => Math.fround(near) === real);
}
