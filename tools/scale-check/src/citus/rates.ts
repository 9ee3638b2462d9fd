import type { FleetSide } from './fleet-side.ts';
import type { Caller } from './requests.ts';

const CLIENTS = 4;

export interface Rate {
  perSecond: number;
  /** Median and 99th percentile in ms. */
  p50: number;
  p99: number;
}

/** Sends a request from several clients, each one after the other, for some time. */
export async function measureRate(
  side: FleetSide,
  { access }: Caller,
  paths: readonly string[],
  milliseconds: number,
): Promise<Rate> {
  const times: number[] = [];
  const started = performance.now();
  const client = async (first: number) => {
    for (let n = first; performance.now() - started < milliseconds; n += 1) {
      const sentAt = performance.now();
      const { status, body } = await side.get(paths[n % paths.length]!, access);
      if (status !== 200) throw new Error(`${side.name} returned ${status} ${body.slice(0, 200)}`);
      times.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_unused, n) => client(n)));
  const seconds = (performance.now() - started) / 1_000;
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))]!;
  return { perSecond: times.length / seconds, p50: at(0.5), p99: at(0.99) };
}
