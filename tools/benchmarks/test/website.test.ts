import { benchmarkWebsite, describeWebsite, ratioOf } from '../src/website.ts';

test('measures the site beside plain Fastify with the same bytes', async () => {
  const measured = await benchmarkWebsite({ seconds: 0.2 });
  expect(measured.map(({ operation }) => operation)).toEqual([
    'posts, as JSON',
    'a post, as a page',
    'a post, as markdown',
    'a page that the reader has, 304',
  ]);
  for (const beside of measured) {
    expect(beside.ours.answers).toBeGreaterThan(0);
    expect(beside.floor.answers).toBeGreaterThan(0);
    expect(ratioOf(beside)).toBeGreaterThan(0);
  }
});

test('says whether the bar is met', () => {
  const slice = (cpuSeconds: number) => ({ answers: 10_000, seconds: 2, cpuSeconds });
  const beside = { operation: 'a post, as a page', ours: slice(0.4), floor: slice(0.3) };
  expect(describeWebsite([beside])).toBe(
    [
      '                                   site/s  Fastify/s  site CPU us  Fastify CPU us   ratio  bar',
      'a post, as a page                   5,000      5,000           40              30   0.75x  >= 0.8x NOT met',
    ].join('\n'),
  );
});
