import { setTimeout as sleep } from 'node:timers/promises';
import { type Bench, check } from '../bench.ts';
import type { Comparison } from '../comparison.ts';
import { quantile } from '../load/target.ts';

/** As many as one customer may have refused all the time. */
export const FLOODERS = 24;
/** Until those that wait for their turn are refused for the first time. */
const FLOODED_AFTER_MS = 1_500;
const READS = ['/api/v1/alerts/?page_size=50', '/api/v1/alerts:summary', '/api/v1/gpus?page_size=50'];

/** What a customer waits for its reads, one after the other, while another floods with searches in texts. */
export async function neighbours(bench: Bench): Promise<Comparison[]> {
  const alone: number[] = [];
  const beside: number[] = [];
  await readsOf(bench);
  for (let round = 0; round < bench.rounds; round++) {
    alone.push(...(await readsOf(bench)));
    const flood = startFlood(bench);
    await sleep(FLOODED_AFTER_MS);
    beside.push(...(await readsOf(bench)));
    const statuses = await flood.stop();
    check(
      statuses.every((status) => status === 200 || status === 429),
      `who floods is answered or refused, not ${statuses.join(', ')}`,
    );
  }
  return [
    ['median', 0.5, null],
    ['p99', 0.99, { kind: 'cost' as const, limit: 2 }],
  ].map(([name, share, bar]) => ({
    operation: `beside a flood of searches, ${name as string}`,
    against: 'alone',
    ours: quantile(beside, share as number),
    theirs: quantile(alone, share as number),
    unit: 'ms',
    bar: bar as Comparison['bar'],
  }));
}

async function readsOf({ neighbour, seconds }: Bench): Promise<number[]> {
  const times: number[] = [];
  const deadline = performance.now() + seconds * 1000;
  do {
    for (const path of READS) {
      const begin = performance.now();
      const { status } = await neighbour.get(path);
      times.push(performance.now() - begin);
      check(status === 200, `${path} is answered, not ${status}`);
    }
  } while (performance.now() < deadline);
  return times;
}

function startFlood({ flooder }: Bench): { stop(): Promise<number[]> } {
  const statuses = new Set<number>();
  let flooding = true;
  const running = Array.from({ length: FLOODERS }, async (_unused, n) => {
    for (let k = 0; flooding; k++) {
      // No two are the same, and none finds anything: each looks through all rows.
      const { status } = await flooder.get(`/api/v1/alerts/?filter[description][contains]=nothing-${n}-${k}`);
      statuses.add(status);
    }
  });
  return {
    stop: async () => {
      flooding = false;
      await Promise.all(running);
      return [...statuses];
    },
  };
}
