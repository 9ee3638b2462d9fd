import { severityRank } from '../../model/alerts/alert-document.ts';
import {
  addGauge,
  addLine,
  type IncidentAlert,
  restoreGauge,
  restoreLine,
  WITHOUT_ALERT,
} from '../../model/health/incident-alert.ts';
import type { XidCatalog } from '../../model/health/xid-catalog.ts';
import { incidentOpenings, incidentsOf, type XidOccurrence } from '../../model/health/xid-incident.ts';
import { xidAlertId, type XidEffect, type XidSource } from './xid-alert.ts';
import { compareByTime, occurrenceOf, type XidEvent } from './xid-event.ts';

/** An event that is not stored yet. */
export interface NewXid {
  event: XidEvent;
  source: XidSource;
}

/** Changes that new events of one GPU and code cause. */
interface IncidentChanges {
  inserted: XidEvent[];
  updated: XidEvent[];
  /** Times at which an incident begins (1), or no longer does (-1). */
  counts: { at: string; change: number }[];
  /** Effects on alerts, in the order in which they are applied. */
  effects: XidEffect[];
}

/** An event with its incident. */
interface Xid extends XidOccurrence {
  event: XidEvent;
  /** Undefined if the event is already stored. */
  source: XidSource | undefined;
  opens: boolean;
  /** Alert of the incident; null if it has none. */
  alertId: string | null;
}

/**
 * Adds new events of one GPU and code to their incidents, which stored events may have opened: finds the incidents, restores
 * the alert of each from its stored events, and adds the new events to it.
 *
 * @param stored the stored events around the new ones
 */
export function resolveIncidents(catalog: XidCatalog, stored: XidEvent[], added: NewXid[]): IncidentChanges {
  const xids = withOpenings(stored, added);
  const firstOfIncident = incidentsOf(xids);
  const alerts = restoreAlerts(catalog, firstOfIncident);
  const incidents = Map.groupBy(firstOfIncident.keys(), (xid) => firstOfIncident.get(xid) as Xid);
  const effects = [...incidents].flatMap(([first, incident]) =>
    addToAlert(catalog, alerts.get(first) ?? WITHOUT_ALERT, first, incident),
  );
  return { ...changedRows(xids), effects };
}

/** Returns all events in time order with whether each opens an incident. Events before the new ones keep their stored value. */
function withOpenings(stored: XidEvent[], added: NewXid[]): Xid[] {
  const firstAddedAt = added.map(({ event }) => event.at).reduce((a, b) => (a < b ? a : b));
  const xids = [...stored.map((event) => ({ event, source: undefined })), ...added]
    .sort((a, b) => compareByTime(a.event, b.event))
    .map(({ event, source }) => ({
      ...occurrenceOf(event),
      event,
      source,
      opens: source === undefined && event.at < firstAddedAt ? event.opens_incident : undefined,
      alertId: event.alert_id,
    }));
  const openings = incidentOpenings(xids);
  return xids.map((xid, i) => ({ ...xid, opens: openings[i] as boolean }));
}

/** Restores the alert of each incident from its stored events. @returns the alerts by the first event of the incident */
function restoreAlerts(catalog: XidCatalog, firstOfIncident: Map<Xid, Xid>): Map<Xid, IncidentAlert> {
  const alerts = new Map<Xid, IncidentAlert>();
  const driverAlertIds = new Set<string | null>();
  // The map has lines of the driver before gauges.
  for (const [{ event, source }, first] of firstOfIncident) {
    if (source !== undefined) continue;
    // A gauge that has moved to another incident of the driver leaves its alert to the first.
    if (isGauge(event) && driverAlertIds.has(event.alert_id)) continue;
    const before = alerts.get(first) ?? WITHOUT_ALERT;
    const alert = isGauge(event)
      ? restoreGauge(before, event.alert_id)
      : restoreLine(before, event.alert_id, severityRankOf(catalog, event));
    alerts.set(first, alert);
    if (!isGauge(first.event)) driverAlertIds.add(alert.id);
  }
  return alerts;
}

/** Adds the new events of an incident to its alert, and sets the alert of these events and of the first one. */
function addToAlert(
  catalog: XidCatalog,
  restored: IncidentAlert,
  first: Xid,
  incident: readonly Xid[],
): XidEffect[] {
  const effects: XidEffect[] = [];
  let alert = restored;
  for (const xid of incident) {
    const { source } = xid;
    if (source?.raise_alert !== true) continue;
    // A gauge has no message: in an incident of the driver, it counts as the first line.
    const event = isGauge(xid.event) ? { ...xid.event, message: first.event.message } : xid.event;
    const raisedId = xidAlertId(catalog, event, source);
    const next = isGauge(first.event)
      ? addGauge(alert, raisedId)
      : addLine(alert, raisedId, severityRankOf(catalog, event));
    alert = next.alert;
    if (alert.id === null) continue;
    xid.alertId = alert.id;
    effects.push({ event, source, alertId: alert.id, effect: next.effect });
  }
  first.alertId ??= alert.id;
  return effects;
}

/** Returns the rows that are new or differ from the stored ones, and the change in the number of incidents. */
function changedRows(xids: Xid[]): Omit<IncidentChanges, 'effects'> {
  const changes: Omit<IncidentChanges, 'effects'> = { inserted: [], updated: [], counts: [] };
  for (const { event, source, opens, alertId } of xids) {
    const isStored = source === undefined;
    const row = { ...event, opens_incident: opens, alert_id: alertId };
    if (!isStored) changes.inserted.push(row);
    else if (opens !== event.opens_incident || alertId !== event.alert_id) changes.updated.push(row);
    const change = Number(opens) - Number(isStored && event.opens_incident);
    if (change !== 0) changes.counts.push({ at: event.at, change });
  }
  return changes;
}

function isGauge({ reach_ms }: XidEvent): boolean {
  return reach_ms > 0;
}

function severityRankOf(catalog: XidCatalog, { code, message }: XidEvent): number {
  return severityRank(catalog.entry(code, message).severity);
}
