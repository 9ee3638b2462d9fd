import type { GpuInventory } from '../records/records.ts';

type Labels = Record<string, string | undefined>;

/**
 * The `gpu_id` of a sample's labels (contract 2.5): the UUID, or `host|pci|guest` for a GPU that has none.
 *
 * @returns null when the labels name no GPU
 */
export function gpuIdentity(labels: Labels): string | null {
  const uuid = labels.UUID ?? labels.DCGM_FI_DEV_UUID ?? labels.uuid;
  if (uuid?.startsWith('GPU-')) return uuid;
  const host = hostOf(labels);
  const pci = pciOf(labels);
  return host && pci ? `${host}|${pci}|${labels.guest ?? labels.vm ?? ''}` : null;
}

/** What a sample's labels say of its GPU; exporters put DCGM's string fields (names, serials, versions) there. */
export function inventoryOf(labels: Labels): GpuInventory {
  const cuda = Number(labels.DCGM_FI_CUDA_DRIVER_VERSION);
  const known: Record<string, string | undefined> = {
    model: labels.modelName ?? labels.DCGM_FI_DEV_NAME,
    driver_version: labels.DCGM_FI_DRIVER_VERSION,
    firmware_version: labels.DCGM_FI_DEV_VBIOS_VERSION,
    serial_no: labels.DCGM_FI_DEV_SERIAL,
    hostname: hostOf(labels),
    pcie_address: pciOf(labels),
    // 12010 is CUDA 12.1: the driver API counts in thousands and tens.
    compute_stack:
      Number.isInteger(cuda) && cuda >= 1000
        ? `CUDA ${Math.floor(cuda / 1000)}.${Math.floor((cuda % 1000) / 10)}`
        : undefined,
  };
  const mig = labels.DCGM_FI_DEV_MIG_MODE;
  return {
    ...Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined && value !== '')),
    ...(mig === undefined ? {} : { mig_enabled: mig === '1' }),
  };
}

function hostOf(labels: Labels): string | undefined {
  return labels.Hostname ?? labels.hostname;
}

function pciOf(labels: Labels): string | undefined {
  return labels.pci_bus_id ?? labels.DCGM_FI_DEV_PCI_BUSID;
}
