import type { ImportDatabase } from '../../write/import-database.ts';
import { normalizePciAddress } from './pci-address.ts';

type Queryable = Pick<ImportDatabase, 'query'>;

/** Inventory of a GPU in a kernel log. */
export interface KnownGpu {
  gpu_id: string;
  workspace_id: number;
  vendor: string;
  model: string;
  driver_version: string;
  firmware_version: string;
  serial_no: string;
}

/** Reads the GPUs of hosts, by host and PCI address; of several in one slot the one seen last. */
export async function readGpusOfHosts(
  database: Queryable,
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
      slotKey(hostname, normalizePciAddress(pcie_address) ?? pcie_address),
      gpu,
    ]),
  );
}

/** Reads GPUs by id. */
export async function readGpus(
  database: Queryable,
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

/** Reads the GPUs of imported alerts, by alert id. */
export async function readGpusOfAlerts(
  database: Queryable,
  customerId: number,
  alerts: { id: string; atMs: number }[],
): Promise<Map<string, string | null>> {
  if (alerts.length === 0) return new Map();
  const times = alerts.map(({ atMs }) => atMs);
  // The time range limits the scan to its partitions.
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

/** Reads the times of an XID of GPUs, in ms since the epoch, by GPU. */
export async function readXidTimes(
  database: Queryable,
  customerId: number,
  { code, gpuIds, fromMs, toMs }: { code: number; gpuIds: string[]; fromMs: number; toMs: number },
): Promise<Map<string, number[]>> {
  const rows = await database.query<{ gpu_id: string; times: Date[] }>(
    `SELECT gpu_id, array_agg(at) AS times FROM fleet.gpu_xid_events
     WHERE customer_id = $1 AND gpu_id = ANY ($2) AND code = $3 AND at BETWEEN $4 AND $5
     GROUP BY gpu_id`,
    [customerId, gpuIds, code, new Date(fromMs).toISOString(), new Date(toMs).toISOString()],
  );
  return new Map(rows.map(({ gpu_id, times }) => [gpu_id, times.map((at) => at.getTime())]));
}

export function slotKey(host: string, pci: string): string {
  return `${host.toLowerCase()}|${pci}`;
}
