import type { ImportDatabase } from '../../write/import-database.ts';
import { slotKey } from '../../write/xid-event.ts';
import { normalizePciAddress } from '../xid/pci-address.ts';
import { readGpus } from '../xid/stored-records.ts';

/** The GPUs of a host, by their PCI address: those that this import has read, otherwise the stored ones. */
export class KnownGpus {
  private readonly read = new Map<string, string>();

  constructor(
    private readonly database: Pick<ImportDatabase, 'query'>,
    private readonly host: { customerId: number; host: string },
  ) {}

  /** Adds a GPU that is not stored yet. */
  add(pci: string, gpuId: string): void {
    this.read.set(this.slotOf(pci), gpuId);
  }

  /** Returns the id of the GPU at a PCI address; null without one. */
  async at(pci: string): Promise<string | null> {
    const { customerId, host } = this.host;
    const slot = this.slotOf(pci);
    const read = this.read.get(slot);
    if (read !== undefined) return read;
    const { bySlot } = await readGpus(this.database, customerId, [host], []);
    return bySlot.get(slot)?.gpu_id ?? null;
  }

  private slotOf(pci: string): string {
    return slotKey(this.host.host, normalizePciAddress(pci) ?? pci);
  }
}
