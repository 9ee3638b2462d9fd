import type { Severity } from '../data/queries.ts';
import { isoOf } from '../data/window.ts';
import { DAY_MS } from '../data/durations.ts';
import type { XidGroup, XidIncident } from './queries.ts';

/** The incidents of one host on one day. */
export interface DayCell {
  count: number;
  /** Whether one of the codes is a fault of the hardware, not of an application. */
  isSevere: boolean;
  /** Codes with their counts, the most frequent first. */
  codes: [code: number, count: number][];
}

/** A code that several GPUs of one host had. */
export interface Repeated {
  hostname: string;
  code: number;
  name: string;
  gpuCount: number;
  firstAt: string;
  lastAt: string;
}

/** A host with its incidents by UTC day, `2026-11-24`. */
export interface HostDays extends Pick<XidGroup, 'incidents' | 'gpus'> {
  hostname: string;
  days: Map<string, DayCell>;
  /** The code that most different GPUs had; undefined if no severe code had several. */
  repeated: Repeated | undefined;
}

/** Different GPUs with the same fault from which on the host is the more likely cause. */
export const SUSPICIOUS_GPUS = 3;
const SEVERE: ReadonlySet<string> = new Set<Severity>(['critical', 'high']);

/** Returns the UTC days of a window, the first and the last one included. */
export function daysOf(fromMs: number, toMs: number): string[] {
  const first = Math.floor(fromMs / DAY_MS);
  const count = Math.floor(toMs / DAY_MS) - first + 1;
  return Array.from({ length: count }, (_unused, n) => isoOf((first + n) * DAY_MS).slice(0, 10));
}

/**
 * Returns the severe codes that several GPUs of one host had, those of most GPUs first. Each GPU with the same fault is
 * unlikely: the slots, the power supply or the host are more likely to be the cause.
 */
export function repeatedCodes(incidents: XidIncident[]): Repeated[] {
  const severe = incidents.filter(({ severity, hostname }) => SEVERE.has(severity) && hostname !== '');
  const groups = Map.groupBy(severe, ({ hostname, code }) => JSON.stringify([hostname, code]));
  return [...groups.values()]
    .map((group) => {
      const times = group.map(({ first_at }) => first_at).sort();
      const { hostname, code, name } = group[0] as XidIncident;
      const gpuCount = new Set(group.map(({ gpu_id }) => gpu_id)).size;
      return { hostname, code, name, gpuCount, firstAt: times[0] ?? '', lastAt: times.at(-1) ?? '' };
    })
    .filter(({ gpuCount }) => gpuCount > 1)
    .sort((a, b) => b.gpuCount - a.gpuCount || (a.lastAt < b.lastAt ? 1 : -1));
}

/** Joins the counts of hosts, which are complete, with the days of the incidents that are loaded. */
export function hostDaysOf(hosts: XidGroup[], incidents: XidIncident[]): HostDays[] {
  const byHost = Map.groupBy(incidents, ({ hostname }) => hostname);
  const repeated = repeatedCodes(incidents);
  const rows = hosts.map(({ hostname = '', incidents: count, gpus }) => ({
    hostname,
    incidents: count,
    gpus,
    days: cellsOf(byHost.get(hostname) ?? []),
    repeated: repeated.find((each) => each.hostname === hostname),
  }));
  return rows.sort(
    (a, b) => (b.repeated?.gpuCount ?? 0) - (a.repeated?.gpuCount ?? 0) || b.incidents - a.incidents,
  );
}

function cellsOf(incidents: XidIncident[]): Map<string, DayCell> {
  const days = Map.groupBy(incidents, ({ first_at }) => first_at.slice(0, 10));
  return new Map(
    [...days].map(([day, group]) => {
      const codes = [...Map.groupBy(group, ({ code }) => code)].toSorted((a, b) => b[1].length - a[1].length);
      return [
        day,
        {
          count: group.length,
          isSevere: group.some(({ severity }) => SEVERE.has(severity)),
          codes: codes.map(([code, { length }]): [number, number] => [code, length]),
        },
      ];
    }),
  );
}
