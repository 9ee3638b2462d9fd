import type { ImportDatabase } from '../../write/import-database.ts';
import { slotKey } from '../../write/xid-events.ts';
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

/** The fields of a kernel log line that identify its GPU. */
interface XidLine {
  at: string;
  slot: string;
  code: number;
}

/** Reads the GPUs of imported lines, by `xidKey`. */
export async function readGpusOfXids(
  database: Queryable,
  customerId: number,
  lines: XidLine[],
): Promise<Map<string, string>> {
  if (lines.length === 0) return new Map();
  const times = [...new Set(lines.map(({ at }) => at))].sort();
  // The time range limits the scan to its partitions.
  const rows = await database.query<{ at: Date; slot: string; code: number; gpu_id: string }>(
    `SELECT at, slot, code, gpu_id FROM fleet.gpu_xid_events
     WHERE customer_id = $1 AND at = ANY ($2::timestamptz[]) AND slot = ANY ($3) AND at BETWEEN $4 AND $5`,
    [customerId, times, [...new Set(lines.map(({ slot }) => slot))], times[0], times.at(-1)],
  );
  return new Map(rows.map((row) => [xidKey({ ...row, at: row.at.toISOString() }), row.gpu_id]));
}

export function xidKey({ at, slot, code }: XidLine): string {
  return `${at} ${slot} ${code}`;
}

/** Returns the ids of alerts that are stored. */
export async function readStoredAlertIds(
  database: Queryable,
  customerId: number,
  alerts: { id: string; atMs: number }[],
): Promise<Set<string>> {
  if (alerts.length === 0) return new Set();
  const times = alerts.map(({ atMs }) => atMs);
  const rows = await database.query<{ id: string }>(
    `SELECT id FROM fleet.alerts WHERE customer_id = $1 AND id = ANY ($2::uuid[]) AND created_at BETWEEN $3 AND $4`,
    [
      customerId,
      alerts.map(({ id }) => id),
      new Date(Math.min(...times)).toISOString(),
      new Date(Math.max(...times)).toISOString(),
    ],
  );
  return new Set(rows.map(({ id }) => id));
}
