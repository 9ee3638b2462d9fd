import { type Comparison, compare } from '../comparison.ts';
import { processCpuSeconds } from '../process-cpu.ts';
import { record, type RecordedResponse, type Server, startServers } from './servers.ts';

/** Required share of plain Fastify's throughput per CPU time. */
const MIN_RATIO = 0.8;
/** The two servers alternate in slices, so that other load on the machine affects both. */
const SLICE_SECONDS = 0.5;

const OPERATIONS = [
  { operation: 'posts as JSON', path: '/api/posts', revalidate: false },
  { operation: 'a post as a page', path: '/blog/xid-79-first-ten-minutes', revalidate: false },
  { operation: 'a post as markdown', path: '/blog/xid-79-first-ten-minutes.md', revalidate: false },
  { operation: 'an unchanged page, 304', path: '/blog/xid-79-first-ten-minutes', revalidate: true },
] as const;

/** Responses and CPU time of a server in one measured period. */
interface Slice {
  responses: number;
  seconds: number;
  cpuSeconds: number;
}

/**
 * Compares the website with plain Fastify serving the same bytes. CPU time is required, not the rate: rates would make any
 * two servers look alike, because the client shares the machine with them.
 *
 * @param seconds per operation and server
 */
export async function benchmarkWebsite(seconds: number): Promise<Comparison[]> {
  const servers = await startServers();
  try {
    const paths = [...new Set(OPERATIONS.map(({ path }) => path))];
    const responses = await Promise.all(paths.map((path) => record(servers.website, path)));
    const contenders = [servers.website, await servers.startLowerBound(responses)];
    const operations = OPERATIONS.map(({ operation, path, revalidate }) => ({
      operation,
      expected: expectedOf(
        responses.find((response) => response.path === path) as RecordedResponse,
        revalidate,
      ),
    }));
    // Warms up both, so that they run compiled code.
    for (const { expected } of operations) {
      for (const server of contenders) await load(server, expected, seconds / 2);
    }
    const comparisons: Comparison[] = [];
    for (const { operation, expected } of operations) {
      const slices: Slice[][] = contenders.map(() => []);
      for (let left = seconds; left > 0; left -= SLICE_SECONDS) {
        for (const [index, server] of contenders.entries())
          slices[index]?.push(await load(server, expected, Math.min(SLICE_SECONDS, seconds)));
      }
      const figures = (of: (slices: Slice[]) => number) => slices.map(of) as [number, number];
      comparisons.push(
        compare(operation, figures(rate), 'per second', 'plain Fastify'),
        compare(operation, figures(cpuMicroseconds), 'us CPU', 'plain Fastify', { speed: MIN_RATIO }),
      );
    }
    return comparisons;
  } finally {
    await servers.stop();
  }
}

type Expected = ReturnType<typeof expectedOf>;

function expectedOf({ path, etag, body }: RecordedResponse, revalidate: boolean) {
  return revalidate
    ? { path, status: 304, bytes: 0, headers: { 'if-none-match': etag } }
    : { path, status: 200, bytes: Buffer.from(body, 'base64').length, headers: {} };
}

async function load({ target, managementUrl }: Server, expected: Expected, seconds: number): Promise<Slice> {
  const cpuBefore = await processCpuSeconds(managementUrl);
  const started = performance.now();
  const { length: responses } = await target.times(expected.path, { seconds }, expected);
  const elapsed = (performance.now() - started) / 1000;
  return { responses, seconds: elapsed, cpuSeconds: (await processCpuSeconds(managementUrl)) - cpuBefore };
}

const sum = (slices: Slice[], figure: keyof Slice) =>
  slices.reduce((total, slice) => total + slice[figure], 0);
const rate = (slices: Slice[]) => sum(slices, 'responses') / sum(slices, 'seconds');
const cpuMicroseconds = (slices: Slice[]) => (sum(slices, 'cpuSeconds') / sum(slices, 'responses')) * 1e6;
