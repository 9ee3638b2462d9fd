import type { ImportDatabase } from '../../write/import-database.ts';
import { normalPciAddress } from './pci-address.ts';

type Querying = Pick<ImportDatabase, 'query'>;

/** What is known of a GPU that a kernel's log speaks of. */
export interface KnownGpu {
  gpu_id: string;
  workspace_id: number;
  vendor: string;
  model: string;
  driver_version: string;
  firmware_version: string;
  serial_no: string;
}

/** The customer's GPUs in these hosts, by host and PCI address; of several in one slot the one that was seen last. */
export async function readGpusOfHosts(
  database: Querying,
  customerId: number,
  hosts: string[],
): Promise<Map<string, KnownGpu>> {
  if (hosts.length === 0) return new Map();
  const rows = await database.query<KnownGpu & { hostname: string; pcie_address: string }>(
    `SELECT gpu_id, workspace_id, vendor, model, driver_version, firmware_version, serial_no, hostname, pcie_address
     FROM fleet.gpus WHERE customer_id = $1 AND lower(hostname) = ANY ($2)
     ORDER BY gpu_id LIKE 'GPU-%', last_seen`,
    [customerId, [...new Set(hosts.map((host) => host.toLowerCase()))]],
  );
  return new Map(
    rows.map(({ hostname, pcie_address, ...gpu }) => [
      slotKey(hostname, normalPciAddress(pcie_address) ?? pcie_address),
      gpu,
    ]),
  );
}

/** GPUs by their ids. */
export async function readGpus(
  database: Querying,
  customerId: number,
  gpuIds: string[],
): Promise<Map<string, KnownGpu>> {
  if (gpuIds.length === 0) return new Map();
  const rows = await database.query<KnownGpu>(
    `SELECT gpu_id, workspace_id, vendor, model, driver_version, firmware_version, serial_no
     FROM fleet.gpus WHERE customer_id = $1 AND gpu_id = ANY ($2)`,
    [customerId, gpuIds],
  );
  return new Map(rows.map((gpu) => [gpu.gpu_id, gpu]));
}

/** The GPUs that these alerts are of, by the alerts' ids: those of lines that were imported before. */
export async function readGpusOfAlerts(
  database: Querying,
  customerId: number,
  alerts: { id: string; atMs: number }[],
): Promise<Map<string, string | null>> {
  if (alerts.length === 0) return new Map();
  const times = alerts.map(({ atMs }) => atMs);
  // The times say which months to look into.
  const rows = await database.query<{ id: string; gpu_id: string | null }>(
    `SELECT id, gpu_id FROM fleet.alerts
     WHERE customer_id = $1 AND id = ANY ($2::uuid[]) AND created_at BETWEEN $3 AND $4`,
    [
      customerId,
      alerts.map(({ id }) => id),
      new Date(Math.min(...times)).toISOString(),
      new Date(Math.max(...times)).toISOString(),
    ],
  );
  return new Map(rows.map(({ id, gpu_id }) => [id, gpu_id]));
}

export function slotKey(host: string, pci: string): string {
  return `${host.toLowerCase()}|${pci}`;
}
