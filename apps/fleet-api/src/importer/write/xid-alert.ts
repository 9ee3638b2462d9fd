import type { AlertGpuDetails, ProcessDetails } from '@gpu-observatory/domain-types';
import { xidEntry } from '../../model/health/xid-catalog.ts';
import { clip } from '../records/clip.ts';
import { NAME_LENGTH, TEXT_LENGTH } from '../records/limits.ts';
import { nameUuid } from '../records/name-uuid.ts';
import type { AlertRecord, Attributed, Attribution, TimelineEventRecord } from '../records/records.ts';
import type { GpuState } from './gpu-state.ts';
import type { XidEvent } from './xid-events.ts';

/** Fields of a record that the stored event does not have. */
export interface XidSource extends Pick<Attribution, 'api_key_id'> {
  raise_alert?: boolean;
  occurrence?: number;
  hostname?: string;
  pcie_address?: string;
  pid?: number;
  process_name?: string;
}

/** Returns the id of the alert that an event raises. */
function xidAlertId(customerId: number, { gpu_id, at, code, variant }: XidEvent): string {
  return nameUuid('xid', customerId, gpu_id, at, code, variant);
}

/** Returns the alert of an incident that the event opens, or null if the XID catalog maps the code to no alert. */
export function xidAlert(
  event: XidEvent,
  source: XidSource,
  gpu: GpuState,
  customerId: number,
): Attributed<AlertRecord> | null {
  const { code, message, at, gpu_id } = event;
  const { alert: type, severity, name, action } = xidEntry(code, message);
  if (type === null) return null;
  const host = source.hostname || gpu.inventory.hostname || null;
  const { model, serial_no } = gpu.inventory;
  return {
    kind: 'alert',
    id: xidAlertId(customerId, event),
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
    gpu_model: model || null,
    gpu_serial: serial_no || null,
    customer_id: customerId,
    workspace_id: gpu.workspaceId,
    api_key_id: source.api_key_id,
    resource_details: {
      process_details: processDetails(source),
      gpu_details: gpuDetails(gpu, host ?? ''),
    },
  };
}

/** Returns the timeline event of an XID: the line of the driver, or the change of the gauge. */
export function xidTimelineEvent(
  alertId: string,
  { at, code, message, reach_ms }: XidEvent,
  { pid = 0, process_name, pcie_address }: XidSource,
  { inventory }: GpuState,
): TimelineEventRecord {
  const pci = pcie_address || inventory.pcie_address || '';
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

function gpuDetails({ gpuId, inventory }: GpuState, host: string): Partial<AlertGpuDetails> {
  return {
    gpu_id: gpuId,
    model: inventory.model ?? '',
    vendor: inventory.vendor ?? '',
    driver_version: inventory.driver_version ?? '',
    firmware_version: inventory.firmware_version ?? '',
    serial_number: inventory.serial_no ?? '',
    host_id: host,
    node: host,
  };
}

function processDetails({ pid, process_name: name = '' }: XidSource): Partial<ProcessDetails> | null {
  return pid === undefined ? null : { title: name, process_name: name, pid };
}
