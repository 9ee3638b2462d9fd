import type { AlertGpuDetails, ProcessDetails } from '@gpu-observatory/domain-types';
import type { AlertEffect } from '../../model/health/incident-alert.ts';
import type { XidCatalog } from '../../model/health/xid-catalog.ts';
import { clip } from '../records/clip.ts';
import { NAME_LENGTH, TEXT_LENGTH } from '../records/limits.ts';
import { nameUuid } from '../records/name-uuid.ts';
import type {
  AlertRecord,
  Attributed,
  Attribution,
  TimelineEventRecord,
  XidEventRecord,
} from '../records/records.ts';
import type { GpuState } from './gpu-state.ts';
import type { XidEvent } from './xid-event.ts';

/** Fields of an XID's record that are not stored in its event. A `gpu_sample` has only the first three. */
export type XidSource = Pick<Attribution, 'customer_id' | 'api_key_id'> &
  Pick<XidEventRecord, 'raise_alert' | 'occurrence' | 'hostname' | 'pcie_address' | 'pid' | 'process_name'>;

/** A new XID of an incident with an alert, and its effect on that alert. */
export interface XidEffect {
  /** The event, with the message that describes the XID. */
  event: XidEvent;
  source: XidSource;
  alertId: string;
  effect: AlertEffect | null;
}

/** A new alert of an XID, or a stored one with a new severity and texts. */
export interface AlertChange {
  alert: Attributed<AlertRecord>;
  effect: AlertEffect;
}

/** An XID on the timeline of an alert. */
export interface TimelineXid {
  event: TimelineEventRecord;
  occurrence: number;
  change: AlertChange | null;
}

/** Returns the id of the alert that an event raises, or null if the XID catalog maps the code to no alert. */
export function xidAlertId(
  catalog: XidCatalog,
  { gpu_id, at, code, variant }: XidEvent,
  { customer_id }: XidSource,
): string | null {
  return catalog.entry(code).alert === null ? null : nameUuid('xid', customer_id, gpu_id, at, code, variant);
}

/** Returns the timeline event of an XID, and the alert if the XID raises or changes it. */
export function timelineXid(catalog: XidCatalog, gpu: GpuState, xid: XidEffect): TimelineXid {
  const { source, effect } = xid;
  const alert = effect === null ? null : xidAlert(catalog, gpu, xid);
  return {
    event: xidTimelineEvent(gpu, xid),
    occurrence: source.occurrence ?? 0,
    change: effect === null || alert === null ? null : { alert, effect },
  };
}

/** Returns the alert of an incident as the XID describes it, or null if the XID catalog maps the code to no alert. */
function xidAlert(
  catalog: XidCatalog,
  gpu: GpuState,
  { event, source, alertId }: XidEffect,
): Attributed<AlertRecord> | null {
  const { code, message, at, gpu_id } = event;
  const { alert: type, severity, name, action } = catalog.entry(code, message);
  if (type === null) return null;
  const host = source.hostname || gpu.hostname || null;
  return {
    kind: 'alert',
    id: alertId,
    title: clip(name === `XID ${code}` ? name : `XID ${code}: ${name}`, NAME_LENGTH),
    description: clip(
      `${(message || name).replace(/\.$/, '')}. NVIDIA's immediate action: ${action}.`,
      TEXT_LENGTH,
    ),
    type,
    severity,
    created_at: at,
    hostname: host,
    gpu_id,
    gpu_model: gpu.model || null,
    gpu_serial: gpu.serial_no || null,
    customer_id: source.customer_id,
    workspace_id: gpu.workspace_id,
    api_key_id: source.api_key_id,
    resource_details: {
      process_details: processDetails(source),
      gpu_details: gpuDetails(gpu, host ?? ''),
    },
  };
}

/** Returns the timeline event of an XID: the line of the driver, or the change of the gauge. */
function xidTimelineEvent(gpu: GpuState, { event, source, alertId }: XidEffect): TimelineEventRecord {
  const { at, code, message, reach_ms } = event;
  const { pid = 0, process_name, pcie_address } = source;
  const pci = pcie_address || gpu.pcie_address || '';
  const info =
    reach_ms > 0
      ? `DCGM_FI_DEV_XID_ERRORS (${pci}): ${code}`
      : `Xid (${pci}): ${code}${message === '' ? '' : `, ${message}`}`;
  return {
    kind: 'timeline_event',
    alert_id: alertId,
    ts: at,
    pid,
    tid: pid,
    event_type: 'xid',
    event_info: clip(info, TEXT_LENGTH),
    ...(process_name === undefined ? {} : { comm: process_name }),
  };
}

function gpuDetails(gpu: GpuState, host: string): Partial<AlertGpuDetails> {
  return {
    gpu_id: gpu.gpu_id,
    model: gpu.model ?? '',
    vendor: gpu.vendor ?? '',
    driver_version: gpu.driver_version ?? '',
    firmware_version: gpu.firmware_version ?? '',
    serial_number: gpu.serial_no ?? '',
    host_id: host,
    node: host,
  };
}

function processDetails({ pid, process_name: name = '' }: XidSource): Partial<ProcessDetails> | null {
  return pid === undefined ? null : { title: name, process_name: name, pid };
}
