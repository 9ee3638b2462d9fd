import type { AlertGpuDetails } from '@gpu-observatory/domain-types';
import { clip } from '../../records/clip.ts';
import { NAME_LENGTH, TEXT_LENGTH } from '../../records/limits.ts';
import type { KnownGpu } from './known-gpus.ts';
import type { InitFailureMessage, SxidMessage, XidMessage } from './xid-message.ts';

/** A message that results in an alert. */
type AlertedMessage = XidMessage | SxidMessage | InitFailureMessage;

/** A message with its host and time. */
export interface DatedMessage<Message = AlertedMessage> {
  message: Message;
  host: string;
  at: string;
  /** Order of messages with the same time. */
  sequence: number;
  /** Number among the equal messages of the same time. */
  occurrence: number;
}

/** Returns the XID event, which also sets the health of the GPU and raises an alert. */
export function xidEvent(
  { message, host, at, sequence, occurrence }: DatedMessage<XidMessage>,
  gpuId: string,
): object {
  const { code, text, pid, processName, pci } = message;
  return {
    kind: 'xid_event',
    at,
    gpu_id: gpuId,
    code,
    message: clip(text, TEXT_LENGTH),
    occurrence,
    sequence,
    hostname: host,
    pcie_address: pci,
    raise_alert: true,
    ...(pid === null ? {} : { pid }),
    ...(processName === null ? {} : { process_name: clip(processName, NAME_LENGTH) }),
  };
}

/** Returns a GPU record for a GPU that is not stored. */
export function unknownGpu({ message, host, at }: DatedMessage<XidMessage>, gpuId: string): object {
  return { kind: 'gpu', at, gpu_id: gpuId, vendor: 'NVIDIA', hostname: host, pcie_address: message.pci };
}

/** Returns the alert of a GPU that the driver could not initialize. A GPU that is not stored is not created. */
export function initFailureAlert(
  { message, host, at }: DatedMessage<InitFailureMessage>,
  alertId: string,
  gpu: KnownGpu | undefined,
): [alert: object, timelineEvent: object] {
  const address = message.pci === null ? '' : ` (${message.pci})`;
  return [
    {
      kind: 'alert',
      id: alertId,
      title: 'The driver cannot initialize a GPU',
      description: clip(`${message.text}${address}`, TEXT_LENGTH),
      type: 'gpu_driver_access',
      severity: 'critical',
      created_at: at,
      hostname: host,
      ...(gpu === undefined
        ? {}
        : {
            gpu_id: gpu.gpu_id,
            gpu_model: gpu.model || null,
            gpu_serial: gpu.serial_no || null,
            workspace_id: gpu.workspace_id,
            resource_details: { gpu_details: gpuDetails(gpu, host) },
          }),
    },
    timelineEvent(alertId, at, 'init_failure', `${message.text}${address}`),
  ];
}

/** Returns the alert of an SXid. It is an error of an NVSwitch: an alert of the host, without effect on GPU health. */
export function sxidAlert(
  { message, host, at }: DatedMessage<SxidMessage>,
  alertId: string,
): [alert: object, timelineEvent: object] {
  const { code, pci, text, fatal } = message;
  return [
    {
      kind: 'alert',
      id: alertId,
      title: `NVSwitch SXid ${code}: ${fatal ? 'fatal' : 'non-fatal'}`,
      description: clip(`${text} (${pci})`, TEXT_LENGTH),
      type: 'gpu_nvlink',
      severity: fatal ? 'high' : 'low',
      created_at: at,
      hostname: host,
    },
    timelineEvent(alertId, at, 'sxid', `SXid (${pci}): ${code}, ${text}`),
  ];
}

function gpuDetails(gpu: KnownGpu, host: string): Partial<AlertGpuDetails> {
  return {
    gpu_id: gpu.gpu_id,
    model: gpu.model,
    vendor: gpu.vendor,
    driver_version: gpu.driver_version,
    firmware_version: gpu.firmware_version,
    serial_number: gpu.serial_no,
    host_id: host,
    node: host,
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
