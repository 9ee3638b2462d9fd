import type { MigrationInterface, QueryRunner } from 'typeorm';

const MEANS = [
  'gpu_utilization',
  'gpu_temperature',
  'gpu_power',
  'gpu_memory',
  'gpu_fan_speed',
  'clock_speed',
  'memory_clock',
  'thermal_slope',
  'cpu_load',
  'cpu_utilization',
  'fork_rate',
  'exit_rate',
];
const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'];
/** Whose a rollup's row is; the order in which it is asked for. */
const SCOPE = `
  customer_id integer NOT NULL,
  scope_kind smallint NOT NULL,
  api_key_id integer NOT NULL,
  workspace_id integer NOT NULL`;
const SCOPE_KEY = 'customer_id, scope_kind, api_key_id, workspace_id';

/**
 * What fleet-wide metrics are made of: the things of a fleet with their sightings, readings of hosts, and rollups by day
 * that are exact with both, so that a window costs as many rows as it has days, whatever the size of the fleet.
 */
export class CreateMetrics1795244400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE fleet.things (
        customer_id integer NOT NULL,
        kind text COLLATE "C" NOT NULL,
        thing_id text COLLATE "C" NOT NULL,
        workspace_id integer,
        api_key_id integer,
        told_at timestamptz(3),
        home_at timestamptz(3) NOT NULL,
        first_seen timestamptz(3) NOT NULL,
        last_seen timestamptz(3) NOT NULL,
        doc jsonb NOT NULL,
        PRIMARY KEY (customer_id, kind, thing_id)
      )`);
    await runner.query(`
      COMMENT ON TABLE fleet.things IS
        'Hosts, containers, VMs, processes, agent sessions and workspaces, each from its first to its last sighting'`);
    await runner.query(`
      COMMENT ON COLUMN fleet.things.told_at IS
        'The time of the newest record about it; null while it is only known from others''; home_at: of the one that said whose it is'`);

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
        'Days that a host was measured, by its samples or elsewhere: a day is counted from one of the two'`);

    await runner.query(`
      CREATE TABLE fleet.metric_days (
        ${SCOPE},
        day timestamptz(3) NOT NULL,
        ${MEANS.map((mean) => `${mean}_sum float8 NOT NULL DEFAULT 0, ${mean}_n bigint NOT NULL DEFAULT 0,`).join('\n        ')}
        health_score_ms float8 NOT NULL DEFAULT 0,
        health_ms bigint NOT NULL DEFAULT 0,
        ecc_errors bigint NOT NULL DEFAULT 0,
        xid_errors bigint NOT NULL DEFAULT 0,
        throttle_events bigint NOT NULL DEFAULT 0,
        ${SEVERITIES.map((severity) => `alerts_${severity} bigint NOT NULL DEFAULT 0,`).join('\n        ')}
        PRIMARY KEY (${SCOPE_KEY}, day)
      ) WITH (fillfactor = 70)`);
    await runner.query(`
      COMMENT ON TABLE fleet.metric_days IS
        'One UTC day of a scope, summed up in the transaction of the rows. scope_kind: 0 customer, 1 workspace (0: none), 2 API key in a workspace; sums are ten-thousandths'`);

    await runner.query(`
      CREATE TABLE fleet.thing_counts (
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
      COMMENT ON TABLE fleet.thing_counts IS
        'How many things were first seen (edge 0), last seen (1) or fell silent (2) in a month (grain 0), day (1) or hour (2), and their offsets in it'`);

    await runner.query(`
      ALTER TABLE fleet.gpus ADD COLUMN metric_memory jsonb NOT NULL DEFAULT '{}',
        ADD COLUMN silent_from timestamptz(3), ADD COLUMN crash_chain_at timestamptz(3)`);
    await runner.query(`
      COMMENT ON COLUMN fleet.gpus.metric_memory IS
        'What the importer must remember of the last samples to add up metrics'`);
    await runner.query(`
      CREATE INDEX gpus_in_crash_chains ON fleet.gpus (customer_id, crash_chain_at) WHERE crash_chain_at IS NOT NULL`);

    await runner.query(`
      INSERT INTO fleet.partitioned_tables (table_name, grain, kind)
      VALUES ('host_samples', 'day', 'samples'), ('host_days', 'month', 'rollups')`);
    await runner.query(`
      GRANT SELECT ON fleet.things, fleet.host_samples, fleet.host_days, fleet.metric_days, fleet.thing_counts TO fleet_api`);
    await runner.query(`
      GRANT SELECT, INSERT, UPDATE ON fleet.things, fleet.host_samples, fleet.host_days, fleet.metric_days,
        fleet.thing_counts TO fleet_importer`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `DELETE FROM fleet.partitioned_tables WHERE table_name IN ('host_samples', 'host_days')`,
    );
    await runner.query('DROP INDEX fleet.gpus_in_crash_chains');
    await runner.query(
      'ALTER TABLE fleet.gpus DROP COLUMN metric_memory, DROP COLUMN silent_from, DROP COLUMN crash_chain_at',
    );
    await runner.query(
      'DROP TABLE fleet.thing_counts, fleet.metric_days, fleet.host_days, fleet.host_samples, fleet.things',
    );
  }
}
