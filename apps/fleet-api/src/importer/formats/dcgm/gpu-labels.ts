import type { Description, HostNames } from '../exporters/exporter-format.ts';
import { gpuIdOf, hostOf, inventoryOf } from '../exporters/gpu-identity.ts';
import type { Labels } from '../exporters/labels.ts';
import { cudaVersion } from './cuda-version.ts';

/** Returns id and inventory of the GPU. Exporters also write DCGM's string fields (names, serials, versions) as labels. */
export function describeGpu(labels: Labels, hosts: HostNames): Description {
  const host = hostOf(labels, hosts);
  const pci = labels.pci_bus_id ?? labels.DCGM_FI_DEV_PCI_BUSID ?? labels.DCGM_FI_DEV_PCI_BUS_ID;
  const serial = labels.DCGM_FI_DEV_SERIAL ?? labels.DCGM_FI_DEV_BOARD_SERIAL;
  const uuid = labels.UUID ?? labels.DCGM_FI_DEV_UUID ?? labels.DCGM_FI_DEV_GPU_UUID ?? labels.uuid;
  const identity = gpuIdOf({
    // The UUID of a MIG instance begins with MIG-.
    uuid: uuid?.startsWith('GPU-') ? uuid : undefined,
    serial,
    host,
    slot: pci,
    guest: labels.guest ?? labels.vm,
  });
  if ('fault' in identity) return identity;
  const described = inventoryOf({
    model:
      labels.modelName ??
      labels.DCGM_FI_DEV_NAME ??
      labels.DCGM_FI_DEV_GPU_NAME ??
      labels.DCGM_FI_DEV_BRAND ??
      labels.DCGM_FI_DEV_GPU_BRAND,
    driver_version: labels.DCGM_FI_DRIVER_VERSION ?? labels.DCGM_FI_SYSTEM_DRIVER_VERSION,
    firmware_version: labels.DCGM_FI_DEV_VBIOS_VERSION,
    serial_no: serial,
    hostname: host,
    pcie_address: pci,
    compute_stack: cudaVersion(Number(labels.DCGM_FI_CUDA_DRIVER_VERSION)),
  });
  if ('fault' in described) return described;
  const { inventory } = described;
  const mig = labels.DCGM_FI_DEV_MIG_MODE;
  if (mig !== undefined) inventory.mig_enabled = mig === '1';
  if (labels.GPU_I_ID) inventory.mig_enabled = true;
  return { ...identity, inventory };
}
