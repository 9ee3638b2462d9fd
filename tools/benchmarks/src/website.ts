import { type FixedAnswer, type Slice, together } from './website-answers.ts';
import { startServers } from './website-servers.ts';

/** So much of what plain Fastify does with the same bytes is what the site has to reach. */
const BAR = 0.8;
/** The two take turns, so that whatever else the machine does meanwhile hits both. */
const SLICE_SECONDS = 0.5;

/** One kind of request, to the site and to plain Fastify with the same bytes. */
export interface Beside {
  operation: string;
  ours: Slice;
  floor: Slice;
}

const OPERATIONS = [
  { operation: 'posts, as JSON', path: '/api/posts', has: false },
  { operation: 'a post, as a page', path: '/blog/xid-79-first-ten-minutes', has: false },
  { operation: 'a post, as markdown', path: '/blog/xid-79-first-ten-minutes.md', has: false },
  { operation: 'a page that the reader has, 304', path: '/blog/xid-79-first-ten-minutes', has: true },
] as const;

/** @param seconds for each operation and server */
export async function benchmarkWebsite({ seconds }: { seconds: number }): Promise<Beside[]> {
  const servers = await startServers();
  try {
    const paths = [...new Set(OPERATIONS.map(({ path }) => path))];
    const answers = await Promise.all(paths.map((path) => servers.website.answer(path)));
    const floor = await servers.startFloor(answers);
    const turns = OPERATIONS.map(({ operation, path, has }) => ({
      operation,
      expected: answers.find((answer) => answer.path === path) as FixedAnswer,
      asking: { has, seconds: Math.min(SLICE_SECONDS, seconds) },
    }));
    // Both have compiled what they run before anybody counts.
    for (const { expected, asking } of turns) {
      for (const server of [servers.website, floor])
        await server.ask(expected, { ...asking, seconds: seconds / 2 });
    }
    const measured: Beside[] = [];
    for (const { operation, expected, asking } of turns) {
      const [ours, theirs]: [Slice[], Slice[]] = [[], []];
      for (let left = seconds; left > 0; left -= SLICE_SECONDS) {
        ours.push(await servers.website.ask(expected, asking));
        theirs.push(await floor.ask(expected, asking));
      }
      measured.push({ operation, ours: together(ours), floor: together(theirs) });
    }
    return measured;
  } finally {
    await servers.stop();
  }
}

const rate = ({ answers, seconds }: Slice) => answers / seconds;
const cpuMicroseconds = ({ answers, cpuSeconds }: Slice) => (cpuSeconds / Math.max(1, answers)) * 1e6;

/**
 * How many times as much as plain Fastify the site answers for the same CPU time. CPU time and not the rate, since
 * whoever asks shares the machine with who answers, and that makes any two servers look alike.
 */
export const ratioOf = ({ ours, floor }: Beside): number => cpuMicroseconds(floor) / cpuMicroseconds(ours);

/** As a table for people. Ratios carry over to other machines; the figures themselves do not. */
export function describeWebsite(measured: readonly Beside[]): string {
  const number = (value: number) => Math.round(value).toLocaleString('en');
  const rows = measured.map((beside) => [
    beside.operation,
    number(rate(beside.ours)),
    number(rate(beside.floor)),
    number(cpuMicroseconds(beside.ours)),
    number(cpuMicroseconds(beside.floor)),
    `${ratioOf(beside).toFixed(2)}x`,
    `>= ${BAR}x ${ratioOf(beside) >= BAR ? 'met' : 'NOT met'}`,
  ]);
  const head = ['', 'site/s', 'Fastify/s', 'site CPU us', 'Fastify CPU us', 'ratio', '  bar'];
  return [head, ...rows]
    .map(([operation = '', a = '', b = '', c = '', d = '', ratio = '', bar = '']) =>
      `${operation.padEnd(32)}${a.padStart(9)}${b.padStart(11)}${c.padStart(13)}${d.padStart(16)}${ratio.padStart(8)}  ${bar.trim()}`.trimEnd(),
    )
    .join('\n');
}
