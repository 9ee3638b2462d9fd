import { MINUTE_MS, SECOND_MS } from '@gpu-observatory/domain-types';
import { severityRank } from '../../model/alerts/alert-document.ts';
import { xidEntry } from '../../model/health/xid-catalog.ts';
import {
  incidentOpenings,
  isWithinReach,
  MAX_REACH_MS,
  type XidOccurrence,
} from '../../model/health/xid-incident.ts';
import { addMs } from '../../model/health/health-signal.ts';
import type { AlertRecord, Attributed, TimelineEventRecord } from '../records/records.ts';
import type { GpuCache } from './gpu-cache.ts';
import { gpuOwner, type GpuState } from './gpu-state.ts';
import type { ImportConnection } from './import-connection.ts';
import type { MetricDays } from './rollups/metric-days.ts';
import { xidAlert, type XidSource, xidTimelineEvent } from './xid-alert.ts';
import {
  insertXidEvents,
  readXidEvents,
  updateXidEvents,
  type XidEvent,
  xidEventKey,
  type XidSpan,
} from './xid-events.ts';

/** Time before an event in which all others are read; longer than the pause between incidents. */
const CONTEXT_MS = MINUTE_MS + SECOND_MS;

/** Alerts of new incidents, and the XIDs for their timelines. */
export interface XidAlerts {
  alerts: Attributed<AlertRecord>[];
  /** Updates of known alerts, in the order in which they apply. */
  changes: AlertUpdate[];
  timeline: { event: TimelineEventRecord; occurrence: number }[];
}

/** An update of an alert by an XID of the driver. */
export interface AlertUpdate {
  alert: Attributed<AlertRecord>;
  /** Whether it applies even if it is less severe: the alert is that of a gauge, which has only the code. */
  replaces: boolean;
}

interface NewEvent {
  event: XidEvent;
  source: XidSource;
}

interface Incident {
  alertId: string | null;
  /** Whether the alert comes from a gauge only. */
  isOfGauge: boolean;
  /** Rank of the most severe line of the driver. */
  severity: number;
  opening: XidEvent;
  fresh: NewEvent[];
}

/**
 * XID events of one batch: finds their incidents, which other batches may have opened, counts the incidents and raises
 * their alerts. The caller holds the lock of the customer's data version, so no other session adds events.
 */
export class XidIncidents {
  /** The stored events that `load` has read, by GPU and code. */
  private stored = new Map<string, XidEvent[]>();
  private readonly storedKeys = new Set<string>();
  private readonly fresh = new Map<string, NewEvent[]>();

  constructor(
    private readonly connection: ImportConnection,
    private readonly customerId: number,
    private readonly gpus: GpuCache,
    private readonly days: MetricDays,
  ) {}

  /** Reads the stored events around new ones. */
  async load(events: XidEvent[]): Promise<void> {
    if (events.length === 0) return;
    const spans = new Map<string, XidSpan>();
    for (const { gpu_id, code, at, reach_ms } of events) {
      const key = keyOf({ gpu_id, code });
      const from = addMs(at, -Math.max(CONTEXT_MS, reach_ms));
      const earliest = addMs(at, -MAX_REACH_MS - CONTEXT_MS);
      const known = spans.get(key);
      if (known === undefined) spans.set(key, { gpu_id, code, from, earliest });
      else {
        if (from < known.from) known.from = from;
        if (earliest < known.earliest) known.earliest = earliest;
      }
    }
    const rows = await readXidEvents(this.connection, this.customerId, [...spans.values()]);
    for (const key of spans.keys()) this.stored.set(key, []);
    for (const row of rows) {
      this.stored.get(keyOf(row))?.push(row);
      this.storedKeys.add(xidEventKey(row));
    }
  }

  /** Adds an event. @returns false if it is already stored or repeated in the batch */
  add(event: XidEvent, source: XidSource): boolean {
    const key = xidEventKey(event);
    if (this.storedKeys.has(key)) return false;
    this.storedKeys.add(key);
    const ofCode = this.fresh.get(keyOf(event));
    if (ofCode === undefined) this.fresh.set(keyOf(event), [{ event, source }]);
    else ofCode.push({ event, source });
    return true;
  }

  /** Returns a known line of the driver with the XID that a gauge shows. */
  driverOf(gauge: XidEvent): XidEvent | undefined {
    const key = keyOf(gauge);
    const fresh = this.fresh.get(key)?.map(({ event }) => event) ?? [];
    return [...(this.stored.get(key) ?? []), ...fresh].find(
      (event) => event.reach_ms === 0 && isWithinReach(occurrenceOf(gauge), occurrenceOf(event)),
    );
  }

  /** Writes the added events and the changes of the incidents around them. */
  async write(): Promise<XidAlerts> {
    const all = [...this.fresh.values()].flat();
    const result: XidAlerts = { alerts: [], changes: [], timeline: [] };
    const changed: XidEvent[] = [];
    for (const [key, fresh] of this.fresh)
      changed.push(...this.resolve(this.stored.get(key) ?? [], fresh, result));
    await insertXidEvents(
      this.connection,
      this.customerId,
      all.map(({ event }) => event),
    );
    await updateXidEvents(this.connection, this.customerId, changed);
    return result;
  }

  /** Sets incident and alert of the new events of one GPU and code. @returns the stored events that change */
  private resolve(stored: XidEvent[], fresh: NewEvent[], result: XidAlerts): XidEvent[] {
    const sourceOf = new Map(fresh.map((one) => [one.event, one]));
    const events = [...stored, ...sourceOf.keys()].sort(inOrder);
    const first = fresh.reduce((at, { event }) => (event.at < at ? event.at : at), '~');
    const before = new Map(stored.map((event) => [event, { ...event }]));
    const openings = incidentOpenings(
      events.map((event) => ({
        ...occurrenceOf(event),
        ...(before.has(event) && event.at < first ? { opens: event.opens_incident } : {}),
      })),
    );
    events.forEach((event, i) => this.setOpening(event, openings[i] as boolean, before.has(event)));
    for (const incident of incidentsOf(events, sourceOf)) this.alert(incident, result);
    return stored.filter((event) => {
      const was = before.get(event) as XidEvent;
      return was.opens_incident !== event.opens_incident || was.alert_id !== event.alert_id;
    });
  }

  private setOpening(event: XidEvent, isOpening: boolean, isStored: boolean): void {
    const change = Number(isOpening) - Number(isStored && event.opens_incident);
    event.opens_incident = isOpening;
    if (change === 0) return;
    const owner = gpuOwner(this.gpus.get(event.gpu_id) as GpuState);
    this.days.at(owner, Date.parse(event.at)).addToTotal('xid_errors', change);
  }

  /** Raises the alert of an incident without one, and adds its new events to the timeline. */
  private alert(incident: Incident, { alerts, changes, timeline }: XidAlerts): void {
    const raising = incident.fresh.filter(({ source }) => source.raise_alert === true);
    for (const { event, source } of raising) {
      const gpu = this.gpus.get(event.gpu_id) as GpuState;
      // A gauge has no message.
      const messageOf = event.reach_ms > 0 ? incident.opening : event;
      const reading = { ...event, message: messageOf.message };
      const severity = severityOf(reading);
      if (incident.alertId === null) {
        const alert = xidAlert(reading, source, gpu, this.customerId);
        if (alert === null) return;
        incident.alertId = alert.id;
        alerts.push(alert);
      } else if (messageOf.reach_ms === 0 && (incident.isOfGauge || severity < incident.severity)) {
        const alert = xidAlert(reading, source, gpu, this.customerId);
        if (alert !== null)
          changes.push({ alert: { ...alert, id: incident.alertId }, replaces: incident.isOfGauge });
      }
      incident.isOfGauge = messageOf.reach_ms > 0;
      incident.severity = Math.min(incident.severity, severity);
      event.alert_id = incident.alertId;
      timeline.push({
        event: xidTimelineEvent(incident.alertId, event, source, gpu),
        occurrence: source.occurrence ?? 0,
      });
    }
    incident.opening.alert_id ??= incident.alertId;
  }
}

/** Groups the events of one GPU and code by incident. */
function incidentsOf(events: XidEvent[], freshOf: Map<XidEvent, NewEvent>): Set<Incident> {
  const latest = new Map<string, Incident>();
  const incidentOf = new Map<XidEvent, Incident>();
  const drivers = events.filter(({ reach_ms }) => reach_ms === 0);
  const gauges = events.filter(({ reach_ms }) => reach_ms > 0);
  const join = (event: XidEvent, incident: Incident) => {
    incidentOf.set(event, incident);
    const fresh = freshOf.get(event);
    if (fresh !== undefined) incident.fresh.push(fresh);
  };
  for (const event of drivers) {
    const current = event.opens_incident ? undefined : latest.get(event.variant);
    const incident = current ?? newIncident(event);
    incident.alertId ??= event.alert_id;
    if (!freshOf.has(event)) incident.severity = Math.min(incident.severity, severityOf(event));
    latest.set(event.variant, incident);
    join(event, incident);
  }
  const ofDrivers = new Set([...incidentOf.values()].map(({ alertId }) => alertId));
  let lastGauge: Incident | undefined;
  for (const event of gauges) {
    const driver = event.opens_incident ? undefined : nearest(event, drivers);
    const joined = driver === undefined ? undefined : incidentOf.get(driver);
    const incident = joined ?? (event.opens_incident ? undefined : lastGauge) ?? newIncident(event);
    if (incident.alertId === null && event.alert_id !== null && !ofDrivers.has(event.alert_id)) {
      // From here on, the alert is that of this incident.
      if (joined !== undefined) ofDrivers.add(event.alert_id);
      Object.assign(incident, { alertId: event.alert_id, isOfGauge: true });
    }
    if (joined === undefined) lastGauge = incident;
    join(event, incident);
  }
  return new Set(incidentOf.values());
}

function newIncident(opening: XidEvent): Incident {
  return { alertId: null, isOfGauge: false, severity: Infinity, opening, fresh: [] };
}

/** Returns the line of the driver that a gauge most likely shows. */
function nearest(gauge: XidEvent, drivers: XidEvent[]): XidEvent | undefined {
  const distance = ({ at }: XidEvent) => Math.abs(Date.parse(at) - Date.parse(gauge.at));
  return drivers
    .filter((driver) => isWithinReach(occurrenceOf(gauge), occurrenceOf(driver)))
    .reduce<XidEvent | undefined>(
      (best, driver) => (best === undefined || distance(driver) < distance(best) ? driver : best),
      undefined,
    );
}

function severityOf({ code, message }: XidEvent): number {
  return severityRank(xidEntry(code, message).severity);
}

function occurrenceOf({ at, variant, reach_ms }: XidEvent): XidOccurrence {
  return { atMs: Date.parse(at), variant, reachMs: reach_ms };
}

function keyOf({ gpu_id, code }: Pick<XidEvent, 'gpu_id' | 'code'>): string {
  return `${gpu_id} ${code}`;
}

function inOrder(a: XidEvent, b: XidEvent): number {
  if (a.at !== b.at) return a.at < b.at ? -1 : 1;
  return a.sequence - b.sequence || (a.digest < b.digest ? -1 : Number(a.digest > b.digest));
}
