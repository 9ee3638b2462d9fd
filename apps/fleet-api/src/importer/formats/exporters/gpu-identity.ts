import { GPU_ID_BYTES, HOSTNAME_LENGTH, NAME_LENGTH } from '../../records/limits.ts';
import type { GpuInventory } from '../../records/records.ts';
import type { HostNames } from './exporter-format.ts';

type Fault = { fault: string };
type Texts = Record<string, string | undefined>;

/** What the labels state about the identity of a GPU; empty texts count as absent. */
export interface GpuLabels {
  uuid?: string | undefined;
  serial?: string | undefined;
  host?: string | undefined;
  /** PCI address, or the number of the GPU on its host. */
  slot?: string | undefined;
  guest?: string | undefined;
}

/**
 * Labels that name the node, in order of preference: those of a Prometheus server's service discovery come first, because
 * `hostname` is the pod or container of an exporter that does not know its node.
 */
const HOST_LABELS = ['node', 'kubernetes_node', 'node_name', 'nodename', 'Hostname', 'hostname', 'HOSTNAME'];
/** What exporters write where the platform has no UUID or no serial number. */
const NO_IDENTITY = /^(?:GPU-)?(?:(?:0x)?[0-]*|\[?N\/A\]?)$/i;

/** Returns the host of a line: the override, the node in its labels, or the fallback. */
export function hostOf(labels: Texts, { override, fallback }: HostNames): string | undefined {
  const label = HOST_LABELS.find((name) => labels[name]);
  return override ?? (label === undefined ? fallback : labels[label]);
}

/** Returns the id of a GPU by its UUID, otherwise by its serial number, which stay when the host gets another name. */
export function uniqueIdOf({ uuid, serial }: GpuLabels): string | undefined {
  const unique = [uuid, serial].find((text) => text && !NO_IDENTITY.test(text));
  return unique === undefined ? undefined : `GPU-${unique.replace(/^GPU-/, '')}`;
}

/**
 * Returns the `gpu_id` (docs/fleet-api.md#list-gpus): the UUID, otherwise the serial number, otherwise `host|slot|guest`.
 *
 * @returns a fault when the labels identify no GPU, or one whose id is not valid in the API
 */
export function gpuIdOf({ host, slot, guest = '', ...labels }: GpuLabels): { gpuId: string } | Fault {
  const unique = uniqueIdOf(labels);
  const composite = host && slot ? `${host}|${slot}|${guest}` : null;
  const gpuId = unique ?? composite;
  if (gpuId === null)
    return {
      fault: 'the labels identify no GPU: they must have a UUID, a serial number, or host and PCI address',
    };
  if (unique ? unique.includes('|') : gpuId.split('|').length !== 3)
    return { fault: 'the labels identify no GPU: UUID, host, PCI address and guest must not contain |' };
  if (Buffer.byteLength(gpuId) > GPU_ID_BYTES)
    return { fault: `the id of the GPU is longer than ${GPU_ID_BYTES} bytes` };
  return gpuId.includes('\0') ? { fault: 'the id of the GPU contains a NUL character' } : { gpuId };
}

/**
 * Returns the inventory of these texts, without empty ones.
 *
 * @returns a fault when a value cannot be stored; it rejects its line, not all lines of the GPU
 */
export function inventoryOf(texts: Texts): { inventory: GpuInventory } | Fault {
  const inventory: Record<string, string> = {};
  for (const [field, value] of Object.entries(texts)) {
    if (value === undefined || value === '') continue;
    const maxLength = field === 'hostname' ? HOSTNAME_LENGTH : NAME_LENGTH;
    if (value.length > maxLength) return { fault: `the ${field} in the labels is longer than ${maxLength}` };
    if (value.includes('\0')) return { fault: `the ${field} in the labels contains a NUL character` };
    inventory[field] = value;
  }
  return { inventory };
}
