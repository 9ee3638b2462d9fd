import { GPU_ID_BYTES, HOSTNAME_LENGTH, NAME_LENGTH } from '../../records/limits.ts';
import type { GpuInventory } from '../../records/records.ts';
import { cudaVersion } from './cuda-version.ts';
import type { Labels } from '../exporters/prometheus-line.ts';

type Fault = { fault: string };

/**
 * Returns the `gpu_id` of a sample's labels (docs/fleet-api.md#gpu): the UUID, or `host|pci|guest` for a GPU without a UUID.
 *
 * @returns a fault when the labels identify no GPU, or one whose id is not valid in the API
 */
export function gpuIdentity(labels: Labels): { gpuId: string } | Fault {
  const uuid = labels.UUID ?? labels.DCGM_FI_DEV_UUID ?? labels.DCGM_FI_DEV_GPU_UUID ?? labels.uuid;
  const gpuId = uuid?.startsWith('GPU-') ? uuid : composite(labels);
  if (gpuId === null)
    return { fault: 'the labels identify no GPU: they must have a UUID, or Hostname and pci_bus_id' };
  if (!gpuId.startsWith('GPU-') && gpuId.split('|').length !== 3)
    return { fault: 'the labels identify no GPU: host, PCI address and guest must not contain |' };
  if (Buffer.byteLength(gpuId) > GPU_ID_BYTES)
    return { fault: `the id of the GPU is longer than ${GPU_ID_BYTES} bytes` };
  return gpuId.includes('\0') ? { fault: 'the id of the GPU contains a NUL character' } : { gpuId };
}

/**
 * Returns the inventory in a sample's labels, where exporters put the string fields of DCGM (names, serials, versions).
 *
 * @returns a fault when a value cannot be stored; it rejects its line, not all lines of the GPU
 */
export function inventoryOf(labels: Labels): { inventory: GpuInventory } | Fault {
  const known = {
    model:
      labels.modelName ??
      labels.DCGM_FI_DEV_NAME ??
      labels.DCGM_FI_DEV_GPU_NAME ??
      labels.DCGM_FI_DEV_BRAND ??
      labels.DCGM_FI_DEV_GPU_BRAND,
    driver_version: labels.DCGM_FI_DRIVER_VERSION ?? labels.DCGM_FI_SYSTEM_DRIVER_VERSION,
    firmware_version: labels.DCGM_FI_DEV_VBIOS_VERSION,
    serial_no: labels.DCGM_FI_DEV_SERIAL ?? labels.DCGM_FI_DEV_BOARD_SERIAL,
    hostname: hostOf(labels),
    pcie_address: pciOf(labels),
    compute_stack: cudaVersion(Number(labels.DCGM_FI_CUDA_DRIVER_VERSION)),
  };
  const inventory: Record<string, string | boolean> = {};
  for (const [field, value] of Object.entries(known)) {
    if (value === undefined || value === '') continue;
    const maxLength = field === 'hostname' ? HOSTNAME_LENGTH : NAME_LENGTH;
    if (value.length > maxLength) return { fault: `the ${field} in the labels is longer than ${maxLength}` };
    if (value.includes('\0')) return { fault: `the ${field} in the labels contains a NUL character` };
    inventory[field] = value;
  }
  const mig = labels.DCGM_FI_DEV_MIG_MODE;
  if (mig !== undefined) inventory.mig_enabled = mig === '1';
  return { inventory };
}

function composite(labels: Labels): string | null {
  const host = hostOf(labels);
  const pci = pciOf(labels);
  return host && pci ? `${host}|${pci}|${labels.guest ?? labels.vm ?? ''}` : null;
}

function hostOf(labels: Labels): string | undefined {
  return labels.Hostname ?? labels.hostname;
}

function pciOf(labels: Labels): string | undefined {
  return labels.pci_bus_id ?? labels.DCGM_FI_DEV_PCI_BUSID ?? labels.DCGM_FI_DEV_PCI_BUS_ID;
}
