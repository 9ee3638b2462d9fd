import type { MigrationInterface, QueryRunner } from 'typeorm';

const MEANS = [
  'gpu_utilization',
  'gpu_temperature',
  'gpu_power',
  'gpu_memory',
  'gpu_fan_speed',
  'clock_speed',
  'memory_clock',
  'memory_temperature_c',
  'tensor_active_pct',
  'dram_active_pct',
  'pcie_tx_mb_per_second',
  'pcie_rx_mb_per_second',
  'thermal_slope',
  'cpu_load',
  'cpu_utilization',
  'fork_rate',
  'exit_rate',
];
const TOTALS = ['ecc_errors', 'xid_errors', 'throttle_events', 'energy_millijoules'];
const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'];
/** Columns of `metric_days` that rows add up. */
const SUMS: readonly (readonly [column: string, type: 'float8' | 'bigint'])[] = [
  ...MEANS.flatMap((mean) => [[`${mean}_sum`, 'float8'] as const, [`${mean}_n`, 'bigint'] as const]),
  ['health_score_ms', 'float8'],
  ['health_ms', 'bigint'],
  ...TOTALS.map((total) => [total, 'bigint'] as const),
  ...SEVERITIES.map((severity) => [`alerts_${severity}`, 'bigint'] as const),
];
/** Columns that identify the scope of a rollup row. */
const SCOPE = `
  customer_id integer NOT NULL,
  scope_kind smallint NOT NULL,
  api_key_id integer NOT NULL,
  workspace_id integer NOT NULL`;
const SCOPE_KEY = 'customer_id, scope_kind, api_key_id, workspace_id';

/**
 * Fleet metrics (docs/decisions/telemetry-rollups.md): the entities of a fleet, host readings, and rollups by day that
 * are updated in the same transaction. Reading a window costs as many rows as it has days, whatever the fleet size.
 */
export class CreateMetrics1795569440000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE fleet.entities (
        customer_id integer NOT NULL,
        kind text COLLATE "C" NOT NULL,
        entity_id text COLLATE "C" NOT NULL,
        workspace_id integer,
        api_key_id integer,
        last_reported_at timestamptz(3),
        owned_since timestamptz(3) NOT NULL,
        first_seen timestamptz(3) NOT NULL,
        last_seen timestamptz(3) NOT NULL,
        doc jsonb NOT NULL,
        PRIMARY KEY (customer_id, kind, entity_id)
      )`);
    await runner.query(`
      COMMENT ON TABLE fleet.entities IS
        'Hosts, containers, VMs, processes, agent sessions and workspaces, with the times of their first and last observation'`);
    await runner.query(`
      COMMENT ON COLUMN fleet.entities.last_reported_at IS
        'Time of the newest record of the entity itself; null while only records of other entities mention it'`);
    await runner.query(`
      COMMENT ON COLUMN fleet.entities.owned_since IS 'Time of the record that decided workspace_id and api_key_id'`);

    await runner.query(`
      CREATE TABLE fleet.host_samples (
        customer_id integer NOT NULL,
        hostname text COLLATE "C" NOT NULL,
        at timestamptz(3) NOT NULL,
        cpu_load_1m float8,
        cpu_utilization_pct float8,
        forks_per_second float8,
        exits_per_second float8,
        PRIMARY KEY (customer_id, hostname, at)
      ) PARTITION BY RANGE (at)`);
    await runner.query(`
      CREATE TABLE fleet.host_days (
        customer_id integer NOT NULL,
        hostname text COLLATE "C" NOT NULL,
        day timestamptz(3) NOT NULL,
        PRIMARY KEY (customer_id, hostname, day)
      ) PARTITION BY RANGE (day)`);
    await runner.query(`
      COMMENT ON TABLE fleet.host_days IS
        'Days with readings of a host, from samples or from a host_day record: a day is counted from one of the two'`);

    await runner.query(`
      CREATE TABLE fleet.metric_days (
        ${SCOPE},
        day timestamptz(3) NOT NULL,
        ${SUMS.map(([column, type]) => `${column} ${type} NOT NULL DEFAULT 0,`).join('\n        ')}
        sums text COLLATE "C" NOT NULL GENERATED ALWAYS AS (${SUMS.map(([column]) => `${column}::text`).join(" || ',' || ")}) STORED,
        PRIMARY KEY (${SCOPE_KEY}, day)
      ) WITH (fillfactor = 70)`);
    await runner.query(`
      COMMENT ON TABLE fleet.metric_days IS
        'One UTC day of a scope. scope_kind: 0 customer, 1 workspace (0: no workspace), 2 API key in a workspace; sums are in ten-thousandths'`);
    await runner.query(
      `COMMENT ON COLUMN fleet.metric_days.sums IS 'The preceding columns, separated by commas'`,
    );

    await runner.query(`
      CREATE TABLE fleet.entity_counts (
        ${SCOPE},
        kind smallint NOT NULL,
        edge smallint NOT NULL,
        grain smallint NOT NULL,
        bucket timestamptz(3) NOT NULL,
        n bigint NOT NULL,
        offset_ms float8 NOT NULL,
        PRIMARY KEY (${SCOPE_KEY}, edge, grain, kind, bucket) INCLUDE (n, offset_ms)
      ) WITH (fillfactor = 70)`);
    await runner.query(`
      COMMENT ON TABLE fleet.entity_counts IS
        'Number of entities whose edge is in a bucket. edge: 0 first seen, 1 last seen, 2 went missing; grain: 0 month, 1 day, 2 hour; offset_ms: sum of the times from the begin of the bucket to the edge'`);

    await runner.query(`
      INSERT INTO fleet.partitioned_tables (table_name, grain, kind)
      VALUES ('host_samples', 'day', 'samples'), ('host_days', 'month', 'rollups')`);
    await runner.query(`
      GRANT SELECT ON fleet.entities, fleet.host_samples, fleet.host_days, fleet.metric_days, fleet.entity_counts TO fleet_api`);
    await runner.query(`
      GRANT SELECT, INSERT, UPDATE ON fleet.entities, fleet.host_samples, fleet.host_days, fleet.metric_days,
        fleet.entity_counts TO fleet_importer`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `DELETE FROM fleet.partitioned_tables WHERE table_name IN ('host_samples', 'host_days')`,
    );
    await runner.query(
      'DROP TABLE fleet.entity_counts, fleet.metric_days, fleet.host_days, fleet.host_samples, fleet.entities',
    );
  }
}
