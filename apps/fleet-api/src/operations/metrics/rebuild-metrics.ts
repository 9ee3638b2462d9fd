import { OperationError } from '@gpu-observatory/service-runtime';
import type pg from 'pg';
import { ownerOf } from '../../model/metrics/rollup-scope.ts';
import { EntityCounts } from '../../importer/write/rollups/entity-counts.ts';
import { EntityCache } from '../../importer/write/entities/entity-cache.ts';
import { advanceDataVersions } from '../advance-data-versions.ts';
import { asImporter } from '../owner-connection.ts';
import { ALERT_DAYS_SQL, GPU_DAYS_SQL, XID_DAYS_SQL } from './rebuilt-days.sql.ts';
import { recountEntities } from './rebuilt-entities.ts';

/** How many rows were wrong, of one customer. */
export interface RebuiltMetrics {
  customer_id: number;
  /** Of `metric_days`, by what was wrong in them; a day has one of each of its workspaces and keys too. */
  alerts: number;
  readings: number;
  xid_errors: number;
  /** Workspaces whose alerts were not known of. */
  workspaces: number;
  /** Of `entity_counts`. */
  entity_counts: number;
}

/** What no stored row says: these stay as they are. */
export const NOT_REBUILT = [
  'thermal_slope, health, ecc_errors and throttle_events: what samples said beside the ones before them is not kept',
  'cpu_load, cpu_utilization, fork_rate and exit_rate: hosts were not measured before metrics were kept',
  'hosts, containers, VMs, processes and agent sessions of before metrics were kept: where a GPU was then is not known',
];

/**
 * Makes what metrics are read from anew where stored rows say it exactly: data imported before there were metrics, or by
 * a release that did not keep them. What is right is left alone, so a second run changes nothing. A customer at a
 * time, in the place of one of its imports, which wait meanwhile.
 *
 * @param customerId null for all
 * @throws {OperationError} when there is no such customer
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
    await client.query('BEGIN');
    try {
      await advanceDataVersions(client, customer_id);
      const result = await rebuild(client, customer_id);
      const { customer_id: _id, ...changes } = result;
      const isChanged = Object.values(changes).some((n) => n > 0);
      await client.query(isChanged && !dryRun ? 'COMMIT' : 'ROLLBACK');
      rebuilt.push(result);
    } catch (failure) {
      await client.query('ROLLBACK').catch(() => undefined); // the first failure is the one to tell
      throw failure;
    }
  }
  return rebuilt;
}

async function rebuild(client: pg.Client, customerId: number): Promise<RebuiltMetrics> {
  const since = await rollupsSince(client);
  const changed = async (sql: string, values: unknown[] = []) =>
    (await client.query(sql, [customerId, ...values])).rowCount ?? 0;
  return {
    customer_id: customerId,
    alerts: await changed(ALERT_DAYS_SQL),
    readings: await changed(GPU_DAYS_SQL),
    xid_errors: await changed(XID_DAYS_SQL, [since]),
    workspaces: await seeWorkspacesOfAlerts(client, customerId, since),
    entity_counts: await recountEntities(client, customerId),
  };
}

/** What `retention apply` has dropped is not made again of what is kept for longer. */
async function rollupsSince(client: pg.Client): Promise<Date | string> {
  const { rows } = await client.query<{ since: Date | null }>(
    "SELECT max(p.dropped_before) AS since FROM fleet.partitioned_tables p WHERE p.kind = 'rollups'",
  );
  return rows[0]?.since ?? '-infinity';
}

/** An alert of a workspace says that it was there. The counts follow, as those of everything that is known. */
async function seeWorkspacesOfAlerts(
  client: pg.Client,
  customerId: number,
  since: Date | string,
): Promise<number> {
  const { rows } = await client.query<{ workspace_id: number; api_key_id: number | null; at: Date[] }>(
    `SELECT a.workspace_id, a.api_key_id, ARRAY[min(a.created_at), max(a.created_at)] AS at FROM fleet.alerts a
     WHERE a.customer_id = $1 AND a.created_at >= $2 AND a.workspace_id IS NOT NULL GROUP BY a.workspace_id, a.api_key_id`,
    [customerId, since],
  );
  const things = new EntityCache(asImporter(client), customerId);
  for (const row of rows)
    for (const at of row.at) things.recordOwnerSeen(undefined, at.toISOString(), ownerOf(row));
  return things.write(new EntityCounts());
}
