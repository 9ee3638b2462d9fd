import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@gpu-observatory/domain-types';

/** Time without the same XID after which another one is a new incident. */
const PAUSE_MS = MINUTE_MS;
/** A fault that continues is a new incident after this time. */
const MAX_INCIDENT_MS = HOUR_MS;
/** Upper bound of `reachMs`. */
export const MAX_REACH_MS = 2 * HOUR_MS;

/** One XID of a GPU. Lists of them have one GPU and code, and are in time order. */
export interface XidOccurrence {
  atMs: number;
  /** Level or recovery action of the message: XIDs of different variants are different incidents. */
  variant: string;
  /** 0 for a line of the driver; for a gauge the longest time between the XID and the sample that shows it, in ms. */
  reachMs: number;
  /** Stored result of `incidentOpenings`; undefined if it must be determined. */
  opens?: boolean | undefined;
}

/**
 * Returns for each occurrence of one GPU and code whether it opens an incident (docs/decisions/xid-incidents.md). The result depends
 * only on the set of occurrences, not on the order of import.
 */
export function incidentOpenings(occurrences: readonly XidOccurrence[]): boolean[] {
  const lines = occurrences.filter(isLine);
  const gauges = occurrences.filter((occurrence) => !isLine(occurrence));
  const openings = new Set([...openingLines(lines), ...openingGauges(gauges, lines)]);
  return occurrences.map((occurrence) => openings.has(occurrence));
}

/** Returns the lines of the driver that open an incident of their variant: after a pause, or an hour after the last opening. */
function openingLines(lines: readonly XidOccurrence[]): XidOccurrence[] {
  const last = new Map<string, { openedMs: number; atMs: number }>();
  return lines.filter(({ atMs, variant, opens }) => {
    // Whole seconds, so that logs of any time resolution result in the same incidents.
    const secondMs = Math.floor(atMs / SECOND_MS) * SECOND_MS;
    const before = last.get(variant);
    const isOpening =
      opens ??
      (before === undefined ||
        secondMs - before.atMs >= PAUSE_MS ||
        secondMs - before.openedMs >= MAX_INCIDENT_MS);
    const openedMs = isOpening || before === undefined ? secondMs : before.openedMs;
    last.set(variant, { openedMs, atMs: secondMs });
    return isOpening;
  });
}

/** Returns the gauges that open an incident: after a pause, and without a line of the driver whose XID they may show. */
function openingGauges(gauges: readonly XidOccurrence[], lines: readonly XidOccurrence[]): XidOccurrence[] {
  let lastMs = -Infinity;
  return gauges.filter((gauge) => {
    const isFollowing = gauge.atMs - lastMs < PAUSE_MS;
    lastMs = gauge.atMs;
    return gauge.opens !== false && !isFollowing && !lines.some((line) => isWithinReach(gauge, line));
  });
}

/** Returns whether an occurrence is a line of the driver, not of the gauge. */
function isLine({ reachMs }: XidOccurrence): boolean {
  return reachMs === 0;
}

/**
 * Groups the occurrences of one GPU and code by incident. A gauge that opens none is part of the incident of the nearest line of
 * the driver, or of the gauge before it.
 *
 * @param occurrences in time order, each with the result of `incidentOpenings`
 * @returns for each occurrence the first known one of its incident; the lines of the driver come before the gauges
 */
export function incidentsOf<T extends XidOccurrence & { opens: boolean }>(
  occurrences: readonly T[],
): Map<T, T> {
  const lines = occurrences.filter(isLine);
  const firstOf = new Map<T, T>();
  const latest = new Map<string, T>();
  for (const line of lines) {
    const first = (line.opens ? undefined : latest.get(line.variant)) ?? line;
    latest.set(line.variant, first);
    firstOf.set(line, first);
  }
  let latestOfGauges: T | undefined;
  for (const gauge of occurrences.filter((occurrence) => !isLine(occurrence))) {
    const line = gauge.opens ? undefined : nearestLine(gauge, lines);
    if (line === undefined) latestOfGauges = (gauge.opens ? undefined : latestOfGauges) ?? gauge;
    firstOf.set(gauge, line === undefined ? (latestOfGauges as T) : (firstOf.get(line) as T));
  }
  return firstOf;
}

/** Returns the line of the driver that a gauge most likely shows. */
function nearestLine<T extends XidOccurrence>(gauge: T, lines: readonly T[]): T | undefined {
  const distance = ({ atMs }: T) => Math.abs(atMs - gauge.atMs);
  return lines
    .filter((line) => isWithinReach(gauge, line))
    .reduce<T | undefined>(
      (best, line) => (best === undefined || distance(line) < distance(best) ? line : best),
      undefined,
    );
}

/** Returns whether a gauge may show the XID of this line of the driver. */
export function isWithinReach(
  gauge: Pick<XidOccurrence, 'atMs' | 'reachMs'>,
  { atMs }: Pick<XidOccurrence, 'atMs'>,
): boolean {
  return Math.abs(gauge.atMs - atMs) <= gauge.reachMs;
}

/** Returns the longest time between an XID and the sample in which a gauge shows it, in ms: two report intervals. */
export function gaugeReachMs(reportIntervalSeconds: number): number {
  return Math.min(2 * reportIntervalSeconds * SECOND_MS, MAX_REACH_MS);
}
