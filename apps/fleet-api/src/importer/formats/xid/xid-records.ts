import type { AlertGpuDetails, ProcessDetails } from '@gpu-observatory/domain-types';
import { xidEntry } from '../../../model/health/xid-catalog.ts';
import { clip } from '../../records/clip.ts';
import { NAME_LENGTH, TEXT_LENGTH } from '../../records/limits.ts';
import type { KnownGpu } from './known-gpus.ts';
import type { InitFailureMessage, SxidMessage, XidMessage } from './xid-message.ts';

/** A message that results in an alert. */
export type AlertedMessage = XidMessage | SxidMessage | InitFailureMessage;

/** A message with its host and time. */
export interface DatedMessage<Message = AlertedMessage> {
  message: Message;
  host: string;
  at: string;
  /** Derived from host, PCI address, time and code. */
  alertId: string;
  /** Order of messages with the same time. */
  sequence?: number;
}

/** Returns the XID event, which also sets the health of the GPU. */
export function xidEvent({ message, at, sequence }: DatedMessage<XidMessage>, gpuId: string): object {
  return {
    kind: 'xid_event',
    at,
    gpu_id: gpuId,
    code: message.code,
    message: clip(message.text, TEXT_LENGTH),
    ...(sequence === undefined ? {} : { sequence }),
  };
}

/** Returns a GPU record for a GPU that is not stored. */
export function unknownGpu({ message, host, at }: DatedMessage<XidMessage>, gpuId: string): object {
  return { kind: 'gpu', at, gpu_id: gpuId, vendor: 'NVIDIA', hostname: host, pcie_address: message.pci };
}

/** Returns the alert of an XID and its timeline event, or null if the XID catalog maps the code to no alert. */
export function xidAlert(
  dated: DatedMessage<XidMessage>,
  gpuId: string,
  gpu: KnownGpu | undefined,
): [alert: object, timelineEvent: object] | null {
  const { message, host, at, alertId } = dated;
  const { code, pci } = message;
  const { alert: type, severity, name, action } = xidEntry(code, message.text);
  if (type === null) return null;
  const description = clip(
    `${(message.text || name).replace(/\.$/, '')}. NVIDIA's immediate action: ${action}.`,
    TEXT_LENGTH,
  );
  return [
    {
      kind: 'alert',
      id: alertId,
      title: clip(name === `XID ${code}` ? name : `XID ${code}: ${name}`, NAME_LENGTH),
      description,
      type,
      severity,
      created_at: at,
      hostname: host,
      gpu_id: gpuId,
      gpu_model: gpu?.model || null,
      gpu_serial: gpu?.serial_no || null,
      ...(gpu === undefined ? {} : { workspace_id: gpu.workspace_id }),
      resource_details: {
        process_details: processDetails(message),
        gpu_details: gpuDetails(gpuId, host, gpu),
      },
    },
    timelineEvent(
      dated,
      'xid',
      `Xid (${pci}): ${code}${message.text === '' ? '' : `, ${message.text}`}`,
      message,
    ),
  ];
}

/** Returns the alert of a GPU that the driver could not initialize. A GPU that is not stored is not created. */
export function initFailureAlert(
  { message, host, at, alertId }: DatedMessage<InitFailureMessage>,
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
            resource_details: { gpu_details: gpuDetails(gpu.gpu_id, host, gpu) },
          }),
    },
    timelineEvent({ alertId, at }, 'init_failure', `${message.text}${address}`, {
      pid: null,
      processName: null,
    }),
  ];
}

/** Returns the alert of an SXid. It is an error of an NVSwitch: an alert of the host, without effect on GPU health. */
export function sxidAlert(dated: DatedMessage<SxidMessage>): [alert: object, timelineEvent: object] {
  const { message, host, at, alertId } = dated;
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
    timelineEvent(dated, 'sxid', `SXid (${pci}): ${code}, ${text}`, { pid: null, processName: null }),
  ];
}

function gpuDetails(gpuId: string, host: string, gpu: KnownGpu | undefined): Partial<AlertGpuDetails> {
  return {
    gpu_id: gpuId,
    model: gpu?.model ?? '',
    vendor: gpu?.vendor ?? 'NVIDIA',
    driver_version: gpu?.driver_version ?? '',
    firmware_version: gpu?.firmware_version ?? '',
    serial_number: gpu?.serial_no ?? '',
    host_id: host,
    node: host,
  };
}

function timelineEvent(
  { alertId, at }: Pick<DatedMessage, 'alertId' | 'at'>,
  type: string,
  info: string,
  { pid, processName }: Pick<XidMessage, 'pid' | 'processName'>,
): object {
  return {
    kind: 'timeline_event',
    alert_id: alertId,
    ts: at,
    pid: pid ?? 0,
    tid: pid ?? 0,
    event_type: type,
    event_info: clip(info, TEXT_LENGTH),
    ...(processName === null ? {} : { comm: clip(processName, NAME_LENGTH) }),
  };
}

function processDetails({ pid, processName }: XidMessage): Partial<ProcessDetails> | null {
  if (pid === null) return null;
  const name = clip(processName ?? '', TEXT_LENGTH);
  return { title: name, process_name: name, pid };
}
