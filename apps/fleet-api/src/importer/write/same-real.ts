/**
 * Returns whether PostgreSQL may round a received number to a stored `real`. It rounds the decimal text, which can be on the other side
 * of the midpoint between two reals than the number itself, so a number at a midpoint equals both.
 */
export function isSameReal(stored: number, received: number): boolean {
  const real = Math.fround(stored);
  const near = [received, received * (1 - Number.EPSILON), received * (1 + Number.EPSILON)];
  return near.some((value) => Math.fround(value) === real);
}
