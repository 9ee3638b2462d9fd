import type { ImportDatabase } from '../../write/import-database.ts';
import { slotKey } from '../../write/xid-event.ts';
import { normalizePciAddress } from '../xid/pci-address.ts';
import { readGpus } from '../xid/stored-records.ts';

/** Finds GPUs of a host by PCI address, first among those of this import, then among the stored ones. */
export class KnownGpus {
  /** Ids of the GPUs of this import, by slot. */
  private readonly imported = new Map<string, string>();

  constructor(
    private readonly database: Pick<ImportDatabase, 'query'>,
    private readonly options: { customerId: number; host: string },
  ) {}

  /** Adds a GPU of this import. */
  add(pci: string, gpuId: string): void {
    this.imported.set(this.slotOf(pci), gpuId);
  }

  /** Returns the id of the GPU at a PCI address; null if none is known. */
  async idAt(pci: string): Promise<string | null> {
    const { customerId, host } = this.options;
    const slot = this.slotOf(pci);
    const imported = this.imported.get(slot);
    if (imported !== undefined) return imported;
    const { bySlot } = await readGpus(this.database, customerId, [host], []);
    return bySlot.get(slot)?.gpu_id ?? null;
  }

  private slotOf(pci: string): string {
    return slotKey(this.options.host, normalizePciAddress(pci) ?? pci);
  }
}
