import { GPU_ID_BYTES, HOSTNAME_LENGTH, NAME_LENGTH } from '../../records/limits.ts';
import type { GpuInventory } from '../../records/records.ts';
import type { HostNames } from './exporter-format.ts';
import type { Labels } from './labels.ts';

type Fault = { fault: string };

/** Identity of a GPU as its labels state it. Empty texts count as absent. */
interface IdentityLabels {
  uuid?: string | undefined;
  serial?: string | undefined;
  host?: string | undefined;
  /** PCI address, or the number of the GPU on its host. */
  slot?: string | undefined;
  /** Virtual machine that the GPU is passed to, or partition of the GPU. */
  guest?: string | undefined;
}

/**
 * Labels with the node, in order of preference. Those of a Prometheus server's service discovery come first, because `hostname`
 * is that of the pod or container if the exporter does not know its node.
 */
const HOST_LABELS = ['node', 'kubernetes_node', 'node_name', 'nodename', 'Hostname', 'hostname', 'HOSTNAME'];
/** Placeholders that exporters write without a UUID or serial number: zeros, hyphens, N/A, or nothing. */
const PLACEHOLDER_ID = /^(?:GPU-)?(?:(?:0x)?[0-]*|\[?N\/A\]?)$/i;

/** Returns the host of a line: the override, the node in its labels, or the fallback. */
export function hostOf(labels: Labels, { override, fallback }: HostNames): string | undefined {
  const label = HOST_LABELS.find((name) => labels[name]);
  return override ?? (label === undefined ? fallback : labels[label]);
}

/** Returns the id of a GPU from its UUID, otherwise from its serial number. Both stay the same when the host is renamed. */
export function uniqueIdOf({ uuid, serial }: IdentityLabels): string | undefined {
  const unique = [uuid, serial].find((text) => text && !PLACEHOLDER_ID.test(text));
  return unique === undefined ? undefined : `GPU-${unique.replace(/^GPU-/, '')}`;
}

/**
 * Returns the id of a GPU without a UUID or serial number.
 *
 * @param slot PCI address, or the number of the GPU on its host
 * @param guest virtual machine that the GPU is passed to, or partition of the GPU
 */
export function compositeIdOf(host: string, slot: string, guest = ''): string {
  return `${host}|${slot}|${guest}`;
}

/**
 * Returns the `gpu_id` (docs/fleet-api.md#list-gpus): the UUID, otherwise the serial number, otherwise `host|slot|guest`.
 *
 * @returns a fault when the labels identify no GPU, or when the id is not valid in the API
 */
export function gpuIdOf({ host, slot, guest = '', ...labels }: IdentityLabels): { gpuId: string } | Fault {
  const unique = uniqueIdOf(labels);
  const composite = host && slot ? compositeIdOf(host, slot, guest) : undefined;
  const gpuId = unique ?? composite;
  if (gpuId === undefined)
    return {
      fault: 'the labels identify no GPU: they must have a UUID, a serial number, or host and PCI address',
    };
  // host|slot|guest has two separators; a unique id has none.
  const separators = unique === undefined ? 2 : 0;
  if (gpuId.split('|').length - 1 !== separators)
    return { fault: 'the labels identify no GPU: UUID, host, PCI address and guest must not contain |' };
  if (Buffer.byteLength(gpuId) > GPU_ID_BYTES)
    return { fault: `the id of the GPU is longer than ${GPU_ID_BYTES} bytes` };
  return gpuId.includes('\0') ? { fault: 'the id of the GPU contains a NUL character' } : { gpuId };
}

/**
 * Returns the inventory in the labels, without empty texts.
 *
 * @param texts values of labels by inventory field
 * @returns a fault when a value cannot be stored; the caller rejects only the line with that value
 */
export function inventoryOf(texts: Labels): { inventory: GpuInventory } | Fault {
  const inventory: Record<string, string> = {};
  for (const [field, value] of Object.entries(texts)) {
    if (value === undefined || value === '') continue;
    const maxLength = field === 'hostname' ? HOSTNAME_LENGTH : NAME_LENGTH;
    if (value.length > maxLength)
      return { fault: `the ${field} in the labels is longer than ${maxLength} characters` };
    if (value.includes('\0')) return { fault: `the ${field} in the labels contains a NUL character` };
    inventory[field] = value;
  }
  return { inventory };
}
