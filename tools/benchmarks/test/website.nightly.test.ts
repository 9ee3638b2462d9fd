import { benchmarkWebsite } from '../src/website/benchmark.ts';

test('compares the website with plain Fastify serving the same bytes', async () => {
  const measured = await benchmarkWebsite(0.2);
  expect(measured.map(({ operation, unit }) => `${operation}, ${unit}`)).toEqual(
    ['posts as JSON', 'a post as a page', 'a post as markdown', 'an unchanged page, 304'].flatMap(
      (operation) => [`${operation}, per second`, `${operation}, us CPU`],
    ),
  );
  for (const { ours, theirs } of measured) expect(Math.min(ours, theirs)).toBeGreaterThan(0);
});
