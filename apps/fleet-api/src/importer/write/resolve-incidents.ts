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
import { inOrder, occurrenceOf, type XidEvent } from './xid-events.ts';

/** An event that is not stored yet. */
export interface NewXid {
  event: XidEvent;
  source: XidSource;
}

/** What new events of one GPU and code change. */
export interface IncidentChanges {
  inserted: XidEvent[];
  updated: XidEvent[];
  /** Times at which an incident begins (1), or no longer does (-1). */
  counts: { at: string; change: number }[];
  /** In the order in which they apply. */
  effects: XidEffect[];
}

interface Xid extends XidOccurrence {
  event: XidEvent;
  /** Undefined if the event is stored. */
  source: XidSource | undefined;
  opens: boolean;
  alertId: string | null;
}

/**
 * Adds new events of one GPU and code to their incidents, which stored events may have opened.
 *
 * @param stored the stored events around the new ones
 */
export function resolveIncidents(catalog: XidCatalog, stored: XidEvent[], added: NewXid[]): IncidentChanges {
  const xids = withOpenings(stored, added);
  const firstOf = incidentsOf(xids);
  const alerts = restoreAlerts(catalog, firstOf);
  const incidents = Map.groupBy(firstOf.keys(), (xid) => firstOf.get(xid) as Xid);
  const effects = [...incidents].flatMap(([first, members]) =>
    addToAlert(catalog, alerts.get(first) ?? WITHOUT_ALERT, first, members),
  );
  return { ...changedRows(xids), effects };
}

/** Returns all events in the order of time. Incidents that began before the new events stay unchanged. */
function withOpenings(stored: XidEvent[], added: NewXid[]): Xid[] {
  const firstAt = added.map(({ event }) => event.at).reduce((a, b) => (a < b ? a : b));
  const xids = [...stored.map((event) => ({ event, source: undefined })), ...added]
    .sort((a, b) => inOrder(a.event, b.event))
    .map(({ event, source }) => ({
      ...occurrenceOf(event),
      event,
      source,
      opens: source === undefined && event.at < firstAt ? event.opens_incident : undefined,
      alertId: event.alert_id,
    }));
  const openings = incidentOpenings(xids);
  return xids.map((xid, i) => ({ ...xid, opens: openings[i] as boolean }));
}

/** Restores the alert of each incident from the stored events, by the first event of the incident. */
function restoreAlerts(catalog: XidCatalog, firstOf: Map<Xid, Xid>): Map<Xid, IncidentAlert> {
  const alerts = new Map<Xid, IncidentAlert>();
  // A gauge that has moved to another incident of the driver leaves its alert to the first.
  const ofDriver = new Set<string | null>();
  for (const [{ event, source }, first] of firstOf) {
    if (source !== undefined || (isGauge(event) && ofDriver.has(event.alert_id))) continue;
    const before = alerts.get(first) ?? WITHOUT_ALERT;
    const alert = isGauge(event)
      ? restoreGauge(before, event.alert_id)
      : restoreLine(before, event.alert_id, severityOf(catalog, event));
    alerts.set(first, alert);
    if (!isGauge(first.event)) ofDriver.add(alert.id);
  }
  return alerts;
}

/** Adds the new events of an incident to its alert, and sets the alert of these events. */
function addToAlert(catalog: XidCatalog, restored: IncidentAlert, first: Xid, members: Xid[]): XidEffect[] {
  const effects: XidEffect[] = [];
  let alert = restored;
  for (const xid of members) {
    const { source } = xid;
    if (source?.raise_alert !== true) continue;
    // A gauge has no message: in an incident of the driver, it counts as the first line.
    const event = isGauge(xid.event) ? { ...xid.event, message: first.event.message } : xid.event;
    const id = xidAlertId(catalog, event, source);
    const added = isGauge(first.event) ? addGauge(alert, id) : addLine(alert, id, severityOf(catalog, event));
    alert = added.alert;
    if (alert.id === null) continue;
    xid.alertId = alert.id;
    effects.push({ event, source, alertId: alert.id, effect: added.effect });
  }
  first.alertId ??= alert.id;
  return effects;
}

function changedRows(xids: Xid[]): Omit<IncidentChanges, 'effects'> {
  const changes: Omit<IncidentChanges, 'effects'> = { inserted: [], updated: [], counts: [] };
  for (const { event, source, opens, alertId } of xids) {
    const row = { ...event, opens_incident: opens, alert_id: alertId };
    if (source !== undefined) changes.inserted.push(row);
    else if (opens !== event.opens_incident || alertId !== event.alert_id) changes.updated.push(row);
    const change = Number(opens) - Number(source === undefined && event.opens_incident);
    if (change !== 0) changes.counts.push({ at: event.at, change });
  }
  return changes;
}

function isGauge({ reach_ms }: XidEvent): boolean {
  return reach_ms > 0;
}

function severityOf(catalog: XidCatalog, { code, message }: XidEvent): number {
  return severityRank(catalog.entry(code, message).severity);
}
