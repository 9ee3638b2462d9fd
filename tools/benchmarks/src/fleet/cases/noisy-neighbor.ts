import { setTimeout as sleep } from 'node:timers/promises';
import { type Bench, check } from '../bench.ts';
import { type Comparison, compare } from '../../comparison.ts';
import { quantile } from '../../target.ts';

/** Concurrent requests of the flooding customer, above its concurrency limit. */
export const FLOODERS = 24;
/** Time until the first queued requests are rejected. */
const RAMP_UP_MS = 1_500;
/** At ten million alerts, reading all rows takes longer than a text filter may. */
const EXPECTED = [200, 429, 502];
const READS = ['/api/v1/alerts/?page_size=50', '/api/v1/alerts:summary', '/api/v1/gpus?page_size=50'];

/** Compares sequential reads of one customer during a flood of text searches by another with reads without it. */
export async function noisyNeighbor(bench: Bench): Promise<Comparison[]> {
  const alone: number[] = [];
  const flooded: number[] = [];
  await measureReads(bench);
  for (let round = 0; round < bench.rounds; round++) {
    alone.push(...(await measureReads(bench)));
    const flood = startFlood(bench);
    await sleep(RAMP_UP_MS);
    flooded.push(...(await measureReads(bench)));
    const statuses = await flood.stop();
    check(
      statuses.every((status) => EXPECTED.includes(status)),
      `flooding requests get ${EXPECTED.join(' or ')}, not ${statuses.join(', ')}`,
    );
  }
  const compared = (share: number) => [quantile(flooded, share), quantile(alone, share)] as const;
  const operation = 'reads during a flood of searches';
  return [
    compare(`${operation}, median`, compared(0.5), 'ms', 'without the flood'),
    compare(`${operation}, p99`, compared(0.99), 'ms', 'without the flood', { cost: 2 }),
  ];
}

/** Times reads of the neighbor, one after another. */
export async function measureReads({ neighbor, seconds }: Bench): Promise<number[]> {
  const times: number[] = [];
  const deadline = performance.now() + seconds * 1000;
  do {
    for (const path of READS) {
      const startedAt = performance.now();
      const { status } = await neighbor.get(path);
      times.push(performance.now() - startedAt);
      check(status === 200, `${path} returns 200, not ${status}`);
    }
  } while (performance.now() < deadline);
  return times;
}

function startFlood({ flooder }: Bench): { stop(): Promise<number[]> } {
  const statuses = new Set<number>();
  let flooding = true;
  const running = Array.from({ length: FLOODERS }, async (_unused, n) => {
    for (let k = 0; flooding; k++) {
      // Finds nothing, and words this short are not indexed, so it reads all rows.
      const { status } = await flooder.get(
        `/api/v1/alerts/?filter[description][contains]=no-${n}-${k % 100}`,
      );
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
