import fc, { type Arbitrary } from 'fast-check';

/** Chooses one of several generators, each with the given relative frequency. */
export function weighted<T>(...choices: [weight: number, Arbitrary<T>][]): Arbitrary<T> {
  return fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));
}
