import type { AlertGpuDetails } from '@gpu-observatory/domain-types';
import { clip } from '../../records/clip.ts';
import { nameUuid } from '../../records/name-uuid.ts';
import { NAME_LENGTH, TEXT_LENGTH } from '../../records/limits.ts';
import type { LocatedMessage } from './locate.ts';
import type { InitFailureMessage, SxidMessage, XidMessage } from './recognize.ts';

/** Stored inventory of a GPU. */
export type StoredGpu = { workspace_id: number } & Pick<
  AlertGpuDetails,
  'gpu_id' | 'model' | 'vendor' | 'driver_version' | 'firmware_version' | 'serial_number'
>;

/** Host and time of a record. */
type HostAndTime = Pick<LocatedMessage, 'host' | 'at'>;

interface AlertRecords {
  alert: object;
  timelineEvent: object;
}

/** Returns the XID event, which also sets the health of the GPU and raises an alert. */
export function xidEvent(
  message: XidMessage,
  { host, at }: HostAndTime,
  gpuId: string,
  order: { occurrence: number; sequence: number },
): object {
  const { code, text, pid, processName, pci } = message;
  return {
    kind: 'xid_event',
    at,
    gpu_id: gpuId,
    code,
    message: clip(text, TEXT_LENGTH),
    ...order,
    hostname: host,
    pcie_address: pci,
    raise_alert: true,
    ...(pid === null ? {} : { pid }),
    ...(processName === null ? {} : { process_name: clip(processName, NAME_LENGTH) }),
  };
}

/** Returns a GPU record for a GPU that is not stored. */
export function unknownGpu({ pci }: XidMessage, { host, at }: HostAndTime, gpuId: string): object {
  return { kind: 'gpu', at, gpu_id: gpuId, vendor: 'NVIDIA', hostname: host, pcie_address: pci };
}

/** Derives the id of an alert of a switch or a host from its message, so that the same message is the same alert. */
export function alertIdOf(
  customerId: number,
  message: SxidMessage | InitFailureMessage,
  { slot, at }: Pick<LocatedMessage, 'slot' | 'at'>,
): string {
  const code = message.kind === 'sxid' ? [message.code] : [];
  return nameUuid(message.kind, customerId, slot, at, ...code, message.text);
}

/** Returns the alert of a GPU that the driver could not initialize. A GPU that is not stored is not created. */
export function initFailureAlert(
  { pci, text }: InitFailureMessage,
  { host, at }: HostAndTime,
  alertId: string,
  gpu: StoredGpu | undefined,
): AlertRecords {
  const description = pci === null ? text : `${text} (${pci})`;
  return {
    alert: {
      kind: 'alert',
      id: alertId,
      title: 'The driver cannot initialize a GPU',
      description: clip(description, TEXT_LENGTH),
      type: 'gpu_driver_access',
      severity: 'critical',
      created_at: at,
      hostname: host,
      ...(gpu === undefined ? {} : gpuFields(gpu, host)),
    },
    timelineEvent: timelineEvent(alertId, at, 'init_failure', description),
  };
}

/** Returns the alert of an SXid. It is an error of an NVSwitch: an alert of the host, without effect on GPU health. */
export function sxidAlert(
  { code, pci, text, fatal }: SxidMessage,
  { host, at }: HostAndTime,
  alertId: string,
): AlertRecords {
  return {
    timelineEvent: timelineEvent(alertId, at, 'sxid', `SXid (${pci}): ${code}, ${text}`),
    alert: {
      kind: 'alert',
      id: alertId,
      title: `NVSwitch SXid ${code}: ${fatal ? 'fatal' : 'non-fatal'}`,
      description: clip(`${text} (${pci})`, TEXT_LENGTH),
      type: 'gpu_nvlink',
      severity: fatal ? 'high' : 'low',
      created_at: at,
      hostname: host,
    },
  };
}

/** Returns the fields of an alert about a stored GPU. */
function gpuFields({ workspace_id, ...details }: StoredGpu, host: string): object {
  return {
    gpu_id: details.gpu_id,
    gpu_model: details.model || null,
    gpu_serial: details.serial_number || null,
    workspace_id,
    resource_details: { gpu_details: { ...details, host_id: host, node: host } },
  };
}

function timelineEvent(alertId: string, at: string, type: string, info: string): object {
  return {
    kind: 'timeline_event',
    alert_id: alertId,
    ts: at,
    pid: 0,
    tid: 0,
    event_type: type,
    event_info: clip(info, TEXT_LENGTH),
  };
}
