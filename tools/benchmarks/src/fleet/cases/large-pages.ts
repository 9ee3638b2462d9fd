import { type Bench, check } from '../bench.ts';
import { type Comparison, compare } from '../../comparison.ts';
import { startPageReaders } from '../load/page-readers.ts';
import { quantile } from '../../target.ts';
import { measureReads } from './noisy-neighbor.ts';

const READERS = [6, 16];
const PAGE = '/api/v1/alerts/?page_size=9000';

/** Compares sequential reads of one customer, while clients of another one read large pages, with reads without them. */
export async function largePages(bench: Bench): Promise<Comparison[]> {
  const alone: number[] = [];
  const loaded = new Map(READERS.map((readers): [number, number[]] => [readers, []]));
  await measureReads(bench);
  for (let round = 0; round < bench.rounds; round++) {
    alone.push(...(await measureReads(bench)));
    for (const [number, times] of loaded) {
      const readers = await startPageReaders(number, `${bench.flooder.url}${PAGE}`, bench.flooder.headers);
      times.push(...(await measureReads(bench)));
      const statuses = await readers.stop();
      bench.log(`${number} readers: ${JSON.stringify(Object.fromEntries(statuses))}`);
      check(statuses.get(200) !== undefined, `readers of ${PAGE} get 200`);
    }
  }
  return [...loaded].flatMap(([readers, times]) => {
    const operation = `reads during large pages, ${readers} readers`;
    const compared = (share: number): [number, number] => [quantile(times, share), quantile(alone, share)];
    return [
      compare(`${operation}, median`, compared(0.5), 'ms', 'without the readers'),
      compare(`${operation}, p99`, compared(0.99), 'ms', 'without the readers', { cost: 2 }),
    ];
  });
}
