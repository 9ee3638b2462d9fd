import type { ImportDatabase } from '../../write/import-database.ts';
import { slotKey } from '../../write/xid-event.ts';
import type { LocatedMessage } from './locate.ts';
import { normalizePciAddress } from './pci-address.ts';
import { alertIdOf, type StoredGpu } from './xid-records.ts';

type Queryable = Pick<ImportDatabase, 'query'>;

/** Stored GPUs and alerts that messages refer to. */
export interface StoredRecords {
  /** GPUs by slot. Of several in one slot, one with a UUID has precedence, then the one seen last. */
  bySlot: Map<string, StoredGpu>;
  /** GPUs by id. */
  byId: Map<string, StoredGpu>;
  /** GPUs of imported XIDs, by `xidKey`. */
  byXid: Map<string, string>;
  /** Ids of stored alerts. */
  alertIds: Set<string>;
}

/** Reads the stored GPUs and alerts that messages refer to. */
export async function readStoredRecords(
  database: Queryable,
  customerId: number,
  messages: LocatedMessage[],
): Promise<StoredRecords> {
  const xids = messages.flatMap(({ message, at, slot }) =>
    message.kind === 'xid' ? [{ at, slot, code: message.code }] : [],
  );
  const alerts = messages.flatMap(({ message, slot, at }) =>
    message.kind === 'init_failure' ? [{ id: alertIdOf(customerId, message, { slot, at }), at }] : [],
  );
  const hosts = messages.map(({ host }) => host);
  const byXid = await readGpusOfXids(database, customerId, xids);
  const gpuIds = [...messages.flatMap(({ gpuId }) => gpuId ?? []), ...byXid.values()];
  const gpus = await readGpus(database, customerId, hosts, gpuIds);
  const alertIds = await readStoredAlertIds(database, customerId, alerts);
  return { ...gpus, byXid, alertIds };
}

/** Reads rows of `fleet.gpus`, by customer, and by host or GPU. */
const READ_GPUS = `SELECT gpu_id, model, vendor, driver_version, firmware_version, serial_no AS serial_number,
    workspace_id, hostname, pcie_address
  FROM fleet.gpus WHERE customer_id = $1 AND (lower(hostname) = ANY ($2) OR gpu_id = ANY ($3))
  ORDER BY gpu_id LIKE 'GPU-%', last_seen`;

/** Reads the GPUs on hosts and those with an id. The order of `READ_GPUS` decides which of several in one slot is used: the last. */
export async function readGpus(
  database: Queryable,
  customerId: number,
  hosts: string[],
  gpuIds: string[],
): Promise<Pick<StoredRecords, 'bySlot' | 'byId'>> {
  const rows = await database.query<StoredGpu & { hostname: string; pcie_address: string }>(READ_GPUS, [
    customerId,
    [...new Set(hosts.map((host) => host.toLowerCase()))],
    gpuIds,
  ]);
  const bySlot = new Map<string, StoredGpu>();
  const byId = new Map<string, StoredGpu>();
  for (const { hostname, pcie_address, ...gpu } of rows) {
    bySlot.set(slotKey(hostname, normalizePciAddress(pcie_address) ?? pcie_address), gpu);
    byId.set(gpu.gpu_id, gpu);
  }
  return { bySlot, byId };
}

/** Fields of a kernel log line that identify its stored XID event. */
interface XidLine {
  at: string;
  slot: string;
  code: number;
}

/** Reads the GPUs of `fleet.gpu_xid_events`, by customer, time and slot. */
const READ_XID_GPUS = `SELECT at, slot, code, gpu_id FROM fleet.gpu_xid_events
  WHERE customer_id = $1 AND at = ANY ($2::timestamptz[]) AND slot = ANY ($3) AND at BETWEEN $4 AND $5`;

/** Reads the GPUs of imported lines, by `xidKey`. */
async function readGpusOfXids(
  database: Queryable,
  customerId: number,
  lines: XidLine[],
): Promise<Map<string, string>> {
  if (lines.length === 0) return new Map();
  const times = [...new Set(lines.map(({ at }) => at))].sort();
  // The time range limits the scan to its partitions.
  const rows = await database.query<{ at: Date; slot: string; code: number; gpu_id: string }>(READ_XID_GPUS, [
    customerId,
    times,
    [...new Set(lines.map(({ slot }) => slot))],
    times[0],
    times.at(-1),
  ]);
  return new Map(rows.map((row) => [xidKey({ ...row, at: row.at.toISOString() }), row.gpu_id]));
}

export function xidKey({ at, slot, code }: XidLine): string {
  return `${at} ${slot} ${code}`;
}

/** Reads the ids of `fleet.alerts` that exist, by customer, id and time of creation. */
const READ_ALERT_IDS = `SELECT id FROM fleet.alerts WHERE customer_id = $1 AND id = ANY ($2::uuid[]) AND created_at BETWEEN $3 AND $4`;

/** Returns the ids of alerts that are stored. */
async function readStoredAlertIds(
  database: Queryable,
  customerId: number,
  alerts: { id: string; at: string }[],
): Promise<Set<string>> {
  if (alerts.length === 0) return new Set();
  const ids = alerts.map(({ id }) => id);
  const times = alerts.map(({ at }) => at).sort();
  const values = [customerId, ids, times[0], times.at(-1)];
  const rows = await database.query<{ id: string }>(READ_ALERT_IDS, values);
  return new Set(rows.map(({ id }) => id));
}
