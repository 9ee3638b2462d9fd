import type { ImportDatabase } from '../../write/import-database.ts';
import { normalizePciAddress } from '../xid/pci-address.ts';

/** Reads rows of `fleet.gpus`, by customer and host: of several GPUs in one slot, the one seen last is the last row. */
const READ_GPUS = `SELECT gpu_id, pcie_address FROM fleet.gpus WHERE customer_id = $1 AND lower(hostname) = lower($2)
  ORDER BY gpu_id LIKE 'GPU-%', last_seen`;

/** The GPUs of a host, by their PCI address: those that this import has read, otherwise the stored ones. */
export class KnownGpus {
  private readonly read = new Map<string, string>();

  constructor(
    private readonly database: Pick<ImportDatabase, 'query'>,
    private readonly host: { customerId: number; host: string },
  ) {}

  /** Adds a GPU that is not stored yet. */
  add(pci: string, gpuId: string): void {
    this.read.set(slotOf(pci), gpuId);
  }

  /** Returns the id of the GPU at a PCI address; null without one. */
  async at(pci: string): Promise<string | null> {
    const wanted = slotOf(pci);
    const read = this.read.get(wanted);
    if (read !== undefined) return read;
    const rows = await this.database.query<{ gpu_id: string; pcie_address: string }>(READ_GPUS, [
      this.host.customerId,
      this.host.host,
    ]);
    return rows.findLast(({ pcie_address }) => slotOf(pcie_address) === wanted)?.gpu_id ?? null;
  }
}

function slotOf(pci: string): string {
  return (normalizePciAddress(pci) ?? pci).toLowerCase();
}
