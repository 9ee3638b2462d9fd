import { OperationError } from '@gpu-observatory/service-runtime/process';
import type pg from 'pg';
import { EntityCounts } from '../../importer/write/rollups/entity-counts.ts';
import { EntityCache } from '../../importer/write/entities/entity-cache.ts';
import { asImporter } from '../as-importer.ts';
import { importTransaction } from '../import-transaction.ts';
import { CORRECT_DAY_SUMS_SQL } from '../../model/gpu-days/write-day-sums.sql.ts';
import { ALERT_COUNTS_SQL } from './rebuilt-alert-counts.sql.ts';
import { ALERT_DAYS_SQL, GPU_DAYS_SQL, XID_DAYS_SQL } from './rebuilt-days.sql.ts';
import { recountEntities } from './rebuilt-entities.ts';

/** Numbers of wrong rows of a customer. */
export interface RebuiltMetrics {
  customer_id: number;
  /** Rows of `metric_days` (one per day and scope) with wrong numbers of alerts. */
  alerts: number;
  /** Rows of `metric_days` with wrong sums of readings. */
  readings: number;
  /** Rows of `metric_days` with wrong numbers of XID errors. */
  xid_errors: number;
  /** Workspaces with alerts that were missing in `entities`. */
  workspaces: number;
  entity_counts: number;
  alert_counts: number;
  gpu_day_sums: number;
}

/** Values that cannot be derived from stored rows. */
export const NOT_REBUILT = [
  'thermal_slope, health, ecc_errors, throttle_events and energy: they compare consecutive samples, which are kept for days only',
  'cpu_load, cpu_utilization, fork_rate and exit_rate: host samples are kept for days only',
  'hosts, containers, VMs, processes and agent sessions that are missing in entities: no other row has them',
];

/**
 * Recomputes the sums and counts of metrics from the rows that they were computed from, where these are stored. Correct rows stay
 * unchanged, so a second run changes nothing. Each customer has one transaction, like an import; imports of the customer wait for it.
 *
 * @param customerId null for all customers
 * @throws {OperationError} when the customer does not exist
 */
export async function rebuildMetrics(
  client: pg.Client,
  customerId: number | null,
  { dryRun = false }: { dryRun?: boolean } = {},
): Promise<RebuiltMetrics[]> {
  const { rows: customers } = await client.query<{ customer_id: number }>(
    `SELECT p.customer_id FROM fleet.data_versions p
     WHERE $1::integer IS NULL OR p.customer_id = $1 ORDER BY p.customer_id`,
    [customerId],
  );
  if (customerId !== null && customers.length === 0)
    throw new OperationError(`customer ${customerId} has no fleet data`);
  const rebuilt: RebuiltMetrics[] = [];
  for (const { customer_id } of customers) {
    await importTransaction(client, customer_id, async () => {
      const result = await rebuild(client, customer_id);
      rebuilt.push(result);
      const { customer_id: _id, ...changes } = result;
      // Without wrong rows, and in a dry run, the transaction is rolled back: entity tags stay the same.
      return !dryRun && Object.values(changes).some((n) => n > 0);
    });
  }
  return rebuilt;
}

/** Corrects the rows of a customer. */
async function rebuild(client: pg.Client, customerId: number): Promise<RebuiltMetrics> {
  const since = await rollupsSince(client);
  const correct = async (sql: string, values: unknown[] = []) =>
    (await client.query(sql, [customerId, ...values])).rows.length;
  return {
    customer_id: customerId,
    alerts: await correct(ALERT_DAYS_SQL),
    readings: await correct(GPU_DAYS_SQL),
    xid_errors: await correct(XID_DAYS_SQL, [since]),
    workspaces: await recordWorkspacesOfAlerts(client, customerId, since),
    entity_counts: await recountEntities(client, customerId),
    alert_counts: await correct(ALERT_COUNTS_SQL),
    gpu_day_sums: await correct(CORRECT_DAY_SUMS_SQL),
  };
}

/** Returns the start of the stored rollups. Dropped rollups are not recomputed, although alerts and events may be kept longer. */
async function rollupsSince(client: pg.Client): Promise<Date | string> {
  const { rows } = await client.query<{ since: Date | null }>(
    "SELECT max(p.dropped_before) AS since FROM fleet.partitioned_tables p WHERE p.kind = 'rollups'",
  );
  return rows[0]?.since ?? '-infinity';
}

/** Records the workspaces of alerts in `entities`, without their counts, which `recountEntities` corrects. */
async function recordWorkspacesOfAlerts(
  client: pg.Client,
  customerId: number,
  since: Date | string,
): Promise<number> {
  const { rows } = await client.query<{ workspace_id: number; api_key_id: number | null; at: Date[] }>(
    `SELECT a.workspace_id, a.api_key_id, ARRAY[min(a.created_at), max(a.created_at)] AS at FROM fleet.alerts a
     WHERE a.customer_id = $1 AND a.created_at >= $2 AND a.workspace_id IS NOT NULL GROUP BY a.workspace_id, a.api_key_id`,
    [customerId, since],
  );
  const entities = new EntityCache(asImporter(client), customerId);
  for (const row of rows) for (const at of row.at) entities.recordOwnerSeen(at.toISOString(), row);
  // These counts are not written.
  return entities.write(new EntityCounts());
}
