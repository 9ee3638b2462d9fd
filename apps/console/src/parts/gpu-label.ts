/** A UUID as the driver writes it: `GPU-` or `MIG-` and 32 hexadecimal digits. */
const DRIVER_UUID = /^((?:GPU|MIG)-[0-9a-f]{8})-/i;

/** Returns a short name of a GPU among those of its host: the start of its UUID, or the PCIe address of a composite id. */
export function gpuLabel(id: string): string {
  const [, address] = id.split('|');
  return address || (DRIVER_UUID.exec(id)?.[1] ?? id);
}

/** Returns the slot of a PCIe address without the domain, which is the same for all GPUs of a host: `9D:00.0`. */
export function slotOf(pcieAddress: string): string {
  return pcieAddress.replace(/^[0-9a-f]{4,8}:/i, '');
}
