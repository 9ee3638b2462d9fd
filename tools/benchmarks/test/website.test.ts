import { benchmarkWebsite, formatWebsite, ratioOf } from '../src/website/benchmark.ts';

test('compares the website with plain Fastify serving the same bytes', async () => {
  const measured = await benchmarkWebsite({ seconds: 0.2 });
  expect(measured.map(({ operation }) => operation)).toEqual([
    'posts as JSON',
    'a post as a page',
    'a post as markdown',
    'an unchanged page, 304',
  ]);
  for (const comparison of measured) {
    expect(comparison.website.responses).toBeGreaterThan(0);
    expect(comparison.lowerBound.responses).toBeGreaterThan(0);
    expect(ratioOf(comparison)).toBeGreaterThan(0);
  }
});

test('formats whether the required ratio is met', () => {
  const slice = (cpuSeconds: number) => ({ responses: 10_000, seconds: 2, cpuSeconds });
  const comparison = {
    operation: 'a post as a page',
    website: slice(0.4),
    lowerBound: slice(0.3),
  };
  expect(formatWebsite([comparison])).toBe(
    [
      '                                   site/s  Fastify/s  site CPU us  Fastify CPU us   ratio  required',
      'a post as a page                    5,000      5,000           40              30   0.75x  >= 0.8x NOT met',
    ].join('\n'),
  );
});
