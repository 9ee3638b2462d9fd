import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@gpu-observatory/domain-types';

/** Time without the same XID after which another one is a new incident. */
const INCIDENT_GAP_MS = MINUTE_MS;
/** Maximum length of an incident. A fault that continues longer opens the next one. */
const MAX_INCIDENT_MS = HOUR_MS;
/** Upper bound of `reachMs`. */
export const MAX_REACH_MS = 2 * HOUR_MS;

/** One occurrence of an XID. Lists of occurrences have one GPU and one code, and are in time order. */
export interface XidOccurrence {
  atMs: number;
  /** Level or recovery action of the message: XIDs of different variants are different incidents. */
  variant: string;
  /** 0 for a driver line; for a gauge the longest time between the XID and the sample that shows it, in ms. */
  reachMs: number;
  /**
   * Stored result of `incidentOpenings`; undefined to compute it. For a driver line it is final. For a gauge only false is final:
   * true is recomputed, because a driver line that is imported later may be within reach.
   */
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

/** Returns the driver lines that open an incident of their variant: after a gap, or `MAX_INCIDENT_MS` after the last opening. */
function openingLines(lines: readonly XidOccurrence[]): XidOccurrence[] {
  const last = new Map<string, { openedMs: number; atMs: number }>();
  return lines.filter(({ atMs, variant, opens }) => {
    // Whole seconds, so that logs of any time resolution result in the same incidents.
    const secondMs = Math.floor(atMs / SECOND_MS) * SECOND_MS;
    const previous = last.get(variant);
    const startsNewIncident =
      previous === undefined ||
      secondMs - previous.atMs >= INCIDENT_GAP_MS ||
      secondMs - previous.openedMs >= MAX_INCIDENT_MS;
    const isOpening = opens ?? startsNewIncident;
    const openedMs = isOpening || previous === undefined ? secondMs : previous.openedMs;
    last.set(variant, { openedMs, atMs: secondMs });
    return isOpening;
  });
}

/**
 * Returns the gauges that open an incident: the previous gauge is at least `INCIDENT_GAP_MS` before, and no driver line is within
 * reach. Variants do not matter, because a gauge has no message.
 */
function openingGauges(gauges: readonly XidOccurrence[], lines: readonly XidOccurrence[]): XidOccurrence[] {
  let lastMs = -Infinity;
  return gauges.filter((gauge) => {
    const continuesPrevious = gauge.atMs - lastMs < INCIDENT_GAP_MS;
    lastMs = gauge.atMs;
    return gauge.opens !== false && !continuesPrevious && !lines.some((line) => isWithinReach(gauge, line));
  });
}

/** Returns whether an occurrence is a driver line, not a gauge. */
function isLine({ reachMs }: XidOccurrence): boolean {
  return reachMs === 0;
}

/**
 * Groups occurrences by incident. A gauge that opens no incident belongs to that of the nearest driver line within reach, otherwise
 * to the latest incident that only gauges report.
 *
 * @param occurrences in time order, each with the result of `incidentOpenings`
 * @returns maps each occurrence to the first known one of its incident. Driver lines precede gauges in the map.
 */
export function incidentsOf<T extends XidOccurrence & { opens: boolean }>(
  occurrences: readonly T[],
): Map<T, T> {
  const lines = occurrences.filter(isLine);
  const firstOf = new Map<T, T>();
  // First line of the latest incident of each variant.
  const firstByVariant = new Map<string, T>();
  for (const line of lines) {
    const first = (line.opens ? undefined : firstByVariant.get(line.variant)) ?? line;
    firstByVariant.set(line.variant, first);
    firstOf.set(line, first);
  }
  // First gauge of the latest incident that only gauges report.
  let firstGauge: T | undefined;
  for (const gauge of occurrences.filter((occurrence) => !isLine(occurrence))) {
    const line = gauge.opens ? undefined : nearestLine(gauge, lines);
    if (line !== undefined) firstOf.set(gauge, firstOf.get(line) as T);
    else {
      if (gauge.opens || firstGauge === undefined) firstGauge = gauge;
      firstOf.set(gauge, firstGauge);
    }
  }
  return firstOf;
}

/** Returns the driver line that a gauge most likely shows: the nearest within reach. */
function nearestLine<T extends XidOccurrence>(gauge: T, lines: readonly T[]): T | undefined {
  const distance = ({ atMs }: T) => Math.abs(atMs - gauge.atMs);
  return lines
    .filter((line) => isWithinReach(gauge, line))
    .reduce<T | undefined>(
      (best, line) => (best === undefined || distance(line) < distance(best) ? line : best),
      undefined,
    );
}

/** Returns whether a gauge may show the XID of this driver line. */
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
