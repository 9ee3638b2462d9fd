import type { RecordedResponse, Slice } from './client.ts';
import { startServers } from './servers.ts';

/** Required share of plain Fastify's throughput per CPU time. */
const MIN_RATIO = 0.8;
/** The two servers alternate in slices, so that other load on the machine affects both. */
const SLICE_SECONDS = 0.5;

/** One kind of request to the website and to plain Fastify with the same bytes. */
export interface WebsiteComparison {
  operation: string;
  website: Slice;
  lowerBound: Slice;
}

const OPERATIONS = [
  { operation: 'posts as JSON', path: '/api/posts', revalidate: false },
  { operation: 'a post as a page', path: '/blog/xid-79-first-ten-minutes', revalidate: false },
  { operation: 'a post as markdown', path: '/blog/xid-79-first-ten-minutes.md', revalidate: false },
  { operation: 'an unchanged page, 304', path: '/blog/xid-79-first-ten-minutes', revalidate: true },
] as const;

/** @param seconds per operation and server */
export async function benchmarkWebsite({ seconds }: { seconds: number }): Promise<WebsiteComparison[]> {
  const servers = await startServers();
  try {
    const paths = [...new Set(OPERATIONS.map(({ path }) => path))];
    const responses = await Promise.all(paths.map((path) => servers.website.record(path)));
    const lowerBound = await servers.startLowerBound(responses);
    const operations = OPERATIONS.map(({ operation, path, revalidate }) => ({
      operation,
      expected: responses.find((response) => response.path === path) as RecordedResponse,
      options: { revalidate, seconds: Math.min(SLICE_SECONDS, seconds) },
    }));
    // Warms up both, so that they run compiled code.
    for (const { expected, options } of operations) {
      for (const server of [servers.website, lowerBound])
        await server.load(expected, { ...options, seconds: seconds / 2 });
    }
    const comparisons: WebsiteComparison[] = [];
    for (const { operation, expected, options } of operations) {
      const comparison = { operation, website: EMPTY, lowerBound: EMPTY };
      for (let left = seconds; left > 0; left -= SLICE_SECONDS) {
        comparison.website = add(comparison.website, await servers.website.load(expected, options));
        comparison.lowerBound = add(comparison.lowerBound, await lowerBound.load(expected, options));
      }
      comparisons.push(comparison);
    }
    return comparisons;
  } finally {
    await servers.stop();
  }
}

const EMPTY: Slice = { responses: 0, seconds: 0, cpuSeconds: 0 };
const add = (one: Slice, other: Slice): Slice => ({
  responses: one.responses + other.responses,
  seconds: one.seconds + other.seconds,
  cpuSeconds: one.cpuSeconds + other.cpuSeconds,
});

const rate = ({ responses, seconds }: Slice) => responses / seconds;
const cpuMicroseconds = ({ responses, cpuSeconds }: Slice) => (cpuSeconds / Math.max(1, responses)) * 1e6;

/**
 * Returns the website's responses per CPU time relative to plain Fastify. Rates would make any two servers look alike,
 * because the client shares the machine with them.
 */
export const ratioOf = ({ website, lowerBound }: WebsiteComparison): number =>
  cpuMicroseconds(lowerBound) / cpuMicroseconds(website);

/** Formats a table. Ratios are comparable between machines, absolute figures are not. */
export function formatWebsite(comparisons: readonly WebsiteComparison[]): string {
  const number = (value: number) => Math.round(value).toLocaleString('en');
  const rows = comparisons.map((comparison) => [
    comparison.operation,
    number(rate(comparison.website)),
    number(rate(comparison.lowerBound)),
    number(cpuMicroseconds(comparison.website)),
    number(cpuMicroseconds(comparison.lowerBound)),
    `${ratioOf(comparison).toFixed(2)}x`,
    `>= ${MIN_RATIO}x ${ratioOf(comparison) >= MIN_RATIO ? 'met' : 'NOT met'}`,
  ]);
  const head = ['', 'site/s', 'Fastify/s', 'site CPU us', 'Fastify CPU us', 'ratio', '  required'];
  return [head, ...rows]
    .map(([operation = '', a = '', b = '', c = '', d = '', ratio = '', required = '']) =>
      `${operation.padEnd(32)}${a.padStart(9)}${b.padStart(11)}${c.padStart(13)}${d.padStart(16)}${ratio.padStart(8)}  ${required.trim()}`.trimEnd(),
    )
    .join('\n');
}
