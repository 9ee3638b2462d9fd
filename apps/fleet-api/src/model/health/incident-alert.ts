/**
 * The alert of an XID incident (docs/decisions/xid-incidents.md#one-alert-per-incident). Each XID of the incident moves it to
 * its next state: stored lines of the driver, then stored gauges, then new lines, then new gauges.
 *
 * | State    | Stored line  | Stored gauge | New line                        | New gauge          |
 * | -------- | ------------ | ------------ | ------------------------------- | ------------------ |
 * | `none`   | `driver` (1) | `gauge` (1)  | `driver`, raise (2)             | `gauge`, raise (2) |
 * | `gauge`  | -            | `gauge`      | `driver`, replace               | `gauge`            |
 * | `driver` | `driver`     | `driver`     | `driver`, update if more severe | as the first line  |
 *
 * (1) `none` if the XID has no alert. (2) `none` if the XID catalog maps the code to no alert.
 * A new XID also joins the timeline of the alert, in every state but `none`.
 */
export interface IncidentAlert {
  /** Source of the alert: a gauge, which has only the code, or a line of the driver. */
  state: 'none' | 'gauge' | 'driver';
  /** Null in the state `none`. */
  id: string | null;
  /** Severity rank of the most severe line of the driver, which is the lowest rank; Infinity without a line. */
  severityRank: number;
}

/** `raise`: a new alert. `replace`: the alert of a gauge becomes that of a line. `update`: the line is more severe. */
export type AlertEffect = 'raise' | 'replace' | 'update';

/** The next state, and the effect that leads to it. */
interface Transition {
  alert: IncidentAlert;
  effect: AlertEffect | null;
}

export const WITHOUT_ALERT: IncidentAlert = { state: 'none', id: null, severityRank: Infinity };

/** Restores the alert from a stored line of the driver. The first line with an alert is used. */
export function restoreLine(alert: IncidentAlert, id: string | null, rank: number): IncidentAlert {
  const known = { ...alert, severityRank: Math.min(alert.severityRank, rank) };
  return alert.state === 'none' && id !== null ? { ...known, state: 'driver', id } : known;
}

/** Restores the alert from a stored gauge, unless a stored line has one. */
export function restoreGauge(alert: IncidentAlert, id: string | null): IncidentAlert {
  return alert.state === 'none' && id !== null ? { ...alert, state: 'gauge', id } : alert;
}

/**
 * Adds a new line of the driver: it raises the alert, replaces that of a gauge even with a less severe one, or updates that of
 * less severe lines.
 *
 * @param id of the alert that the line raises; null if the XID catalog maps its code to none
 * @param rank of the line's severity: a more severe one is lower
 */
export function addLine(alert: IncidentAlert, id: string | null, rank: number): Transition {
  const next = { ...alert, severityRank: Math.min(alert.severityRank, rank) };
  switch (alert.state) {
    case 'none':
      return id === null
        ? { alert, effect: null }
        : { alert: { ...next, state: 'driver', id }, effect: 'raise' };
    case 'gauge':
      return { alert: { ...next, state: 'driver' }, effect: 'replace' };
    case 'driver':
      return { alert: next, effect: rank < alert.severityRank ? 'update' : null };
  }
}

/**
 * Adds a new gauge to an incident without a line of the driver: it raises the alert, and never changes one.
 *
 * @param id of the alert that the gauge raises; null if the XID catalog maps its code to none
 */
export function addGauge(alert: IncidentAlert, id: string | null): Transition {
  if (alert.state !== 'none' || id === null) return { alert, effect: null };
  return { alert: { ...alert, state: 'gauge', id }, effect: 'raise' };
}
