import { echo, echoNames } from '../../src/process.ts';

test('repeats at most 100 characters of a text', () => {
  expect(echo('x'.repeat(100))).toBe('x'.repeat(100));
  expect(echo('x'.repeat(10_000))).toBe(`${'x'.repeat(100)}…`);
});

test('does not leave half of a character', () => {
  expect(echo(`${'x'.repeat(99)}😀😀`).isWellFormed()).toBe(true);
});

test('repeats at most 10 names', () => {
  expect(echoNames(['a', 'b'])).toBe('a, b');
  const names = Array.from({ length: 2_000 }, (_unused, index) => `n${index}`);
  expect(echoNames(names)).toBe('n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, 1990 more');
  expect(echoNames(['x'.repeat(10_000)])).toBe(`${'x'.repeat(100)}…`);
});
