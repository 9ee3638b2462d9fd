import type { FleetSide } from './fleet-side.ts';
import type { Caller } from './requests.ts';

export interface Rate {
  requests: number;
  perSecond: number;
  /** Median and 99th percentile in ms. */
  p50: number;
  p99: number;
}

export interface Load {
  caller: Caller;
  paths: readonly string[];
  clients: number;
  milliseconds: number;
}

/** Sends a request from several clients, each one after the other, for some time. */
export async function measureRate(
  side: FleetSide,
  { caller: { access }, paths, clients, milliseconds }: Load,
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
  await Promise.all(Array.from({ length: clients }, (_unused, n) => client(n)));
  const seconds = (performance.now() - started) / 1_000;
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))]!;
  return { requests: times.length, perSecond: times.length / seconds, p50: at(0.5), p99: at(0.99) };
}
