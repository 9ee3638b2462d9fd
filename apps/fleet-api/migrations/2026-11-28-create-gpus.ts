import type { MigrationInterface, QueryRunner } from 'typeorm';

const PARTITIONED_TABLES = ['gpu_samples', 'gpu_days', 'gpu_day_sums', 'gpu_xid_events'];

/**
 * SQL form of `missingTimeoutMs` (src/model/health/missing-data-timeout.ts), as of the last report. Computed in UTC: time zone
 * dependent expressions are not immutable and may not be stored.
 */
const MISSING_AT = `CASE WHEN has_telemetry THEN ((last_seen AT TIME ZONE 'UTC')
          + greatest(report_interval_seconds * interval '5 seconds', interval '300 seconds')) AT TIME ZONE 'UTC' END`;
/** Columns of a GPU's list item, which `list_item` contains as JSON. */
const LISTED = [
  'gpu_id',
  'vendor',
  'model',
  'compute_stack',
  'driver_version',
  'hostname',
  'pcie_address',
  'serial_no',
];
/** JSON of a text: `{"" : "…"}` without the first six characters and the last one. `to_json` is not immutable. */
const jsonSql = (column: string) => `substr(left(json_object(ARRAY['', ${column}])::text, -1), 7)`;
/** The inventory part of a GPU's list item, without the closing brace. */
const LIST_ITEM = `'{"workspace_id":' || workspace_id
          || ${LISTED.map((column) => `',"${column}":' || ${jsonSql(column)}`).join('\n          || ')}`;

/** Sum and number of samples per half hour, and per day. */
const HALF_HOUR_MEANS = ['utilization', 'memory_used', 'temperature', 'power'];
const DAY_MEANS = [
  'memory_pct',
  'fan',
  'sm_clock',
  'memory_clock',
  'memory_temperature',
  'tensor_active',
  'dram_active',
  'pcie_tx',
  'pcie_rx',
];

/** Kubernetes namespace and pod, job of a batch system or training operator, and user or team; empty when unknown. */
const PLACE = ['namespace', 'pod', 'job', 'owner']
  .map((column) => `${column} text COLLATE "C" NOT NULL DEFAULT ''`)
  .join(', ');

/**
 * GPUs and their telemetry (docs/decisions/telemetry-rollups.md). Raw samples are kept for days. Windows are read from
 * one row per GPU and UTC day with 48 half-hour sums and counts, so the cost depends neither on the length of the window
 * nor on the sampling interval.
 */
export class CreateGpus1795860060000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createGpus(runner);
    await createSamples(runner);
    await createDays(runner);
    await createXidEvents(runner);
    await createProcessesAndWorkloads(runner);
    await runner.query(`
      INSERT INTO fleet.partitioned_tables (table_name, grain, kind) VALUES
        ('gpu_samples', 'day', 'samples'), ('gpu_days', 'month', 'rollups'), ('gpu_day_sums', 'month', 'rollups'),
        ('gpu_xid_events', 'month', 'events')`);
    const tables = ['gpus', ...PARTITIONED_TABLES, 'gpu_processes', 'gpu_workloads'].map(
      (table) => `fleet.${table}`,
    );
    await runner.query(`GRANT SELECT ON ${tables.join(', ')} TO fleet_api`);
    await runner.query(`GRANT SELECT, INSERT, UPDATE ON ${tables.join(', ')} TO fleet_importer`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP TABLE fleet.gpu_workloads, fleet.gpu_processes, fleet.gpu_xid_events, fleet.gpu_day_sums, fleet.gpu_days, fleet.gpu_samples, fleet.gpus',
    );
    await runner.query('DELETE FROM fleet.partitioned_tables WHERE table_name = ANY ($1)', [
      PARTITIONED_TABLES,
    ]);
  }
}

async function createGpus(runner: QueryRunner): Promise<void> {
  await runner.query(`
    CREATE TABLE fleet.gpus (
      customer_id integer NOT NULL,
      gpu_id text COLLATE "C" NOT NULL,
      workspace_id integer NOT NULL,
      api_key_id integer,
      vendor text COLLATE "C" NOT NULL DEFAULT '',
      model text COLLATE "C" NOT NULL DEFAULT '',
      compute_stack text COLLATE "C" NOT NULL DEFAULT '',
      driver_version text COLLATE "C" NOT NULL DEFAULT '',
      firmware_version text COLLATE "C" NOT NULL DEFAULT '',
      hostname text COLLATE "C" NOT NULL DEFAULT '',
      pcie_address text COLLATE "C" NOT NULL DEFAULT '',
      serial_no text COLLATE "C" NOT NULL DEFAULT '',
      mig_enabled boolean NOT NULL DEFAULT false,
      slowdown_temperature_c real,
      shutdown_temperature_c real,
      memory_temperature_limit_c real,
      report_interval_seconds integer NOT NULL DEFAULT 60,
      inventory_at timestamptz(3) NOT NULL,
      first_seen timestamptz(3) NOT NULL,
      last_seen timestamptz(3) NOT NULL,
      has_telemetry boolean NOT NULL DEFAULT false,
      latest jsonb NOT NULL DEFAULT '{}',
      health_state jsonb NOT NULL DEFAULT '{}',
      health_signals jsonb NOT NULL DEFAULT '[]',
      critical_until timestamptz(3),
      degraded_until timestamptz(3),
      missing_at timestamptz(3) GENERATED ALWAYS AS (${MISSING_AT}) STORED,
      metric_state jsonb NOT NULL DEFAULT '{}',
      crash_chain_at timestamptz(3),
      list_item text COLLATE "C" NOT NULL GENERATED ALWAYS AS (${LIST_ITEM}) STORED,
      PRIMARY KEY (customer_id, gpu_id)
    )`);
  await runner.query(`COMMENT ON COLUMN fleet.gpus.latest IS 'The newest reading of each quantity'`);
  await runner.query(`
    COMMENT ON COLUMN fleet.gpus.health_state IS
      'Values of the last sample that health rules compare with the next one: counters, XID code, throttle reasons'`);
  await runner.query(`
    COMMENT ON COLUMN fleet.gpus.has_telemetry IS
      'Whether the GPU has sent a sample, as opposed to one that only an inventory or a kernel log contains'`);
  await runner.query(`
    COMMENT ON COLUMN fleet.gpus.missing_at IS
      'Missing-data timeout: the GPU counts as missing after this time. Null without telemetry'`);
  await runner.query(`
    COMMENT ON COLUMN fleet.gpus.metric_state IS
      'Values of the last samples that metrics compare with the next one'`);
  // Lists of a workspace and of a host.
  await runner.query(`
    CREATE INDEX gpus_by_workspace ON fleet.gpus (customer_id, workspace_id, gpu_id)`);
  await runner.query(`
    CREATE INDEX gpus_by_hostname ON fleet.gpus (customer_id, hostname, gpu_id)`);
  // Counts and lists by health; few GPUs are critical, degraded or in a crash chain.
  await runner.query(`
    CREATE INDEX gpus_by_missing_at ON fleet.gpus (customer_id, missing_at)`);
  for (const health of ['critical', 'degraded']) {
    await runner.query(`
      CREATE INDEX gpus_${health} ON fleet.gpus (customer_id, ${health}_until) WHERE ${health}_until IS NOT NULL`);
  }
  await runner.query(`
    CREATE INDEX gpus_in_crash_chains ON fleet.gpus (customer_id, crash_chain_at) WHERE crash_chain_at IS NOT NULL`);
}

async function createSamples(runner: QueryRunner): Promise<void> {
  await runner.query(`
    CREATE TABLE fleet.gpu_samples (
      customer_id integer NOT NULL,
      gpu_id text COLLATE "C" NOT NULL,
      at timestamptz(3) NOT NULL,
      utilization_pct real,
      memory_used_mib real,
      memory_total_mib real,
      temperature_c real,
      memory_temperature_c real,
      power_draw_w real,
      power_limit_w real,
      fan_pct real,
      sm_clock_mhz real,
      memory_clock_mhz real,
      xid_last_code integer,
      throttle_reasons bigint,
      ecc_single_bit_total bigint,
      ecc_double_bit_total bigint,
      row_remap_failed boolean,
      row_remap_pending boolean,
      remapped_rows_total bigint,
      nvlink_errors_total bigint,
      pcie_replays_total bigint,
      tensor_active_pct real,
      dram_active_pct real,
      pcie_tx_mb_per_second real,
      pcie_rx_mb_per_second real,
      energy_millijoules_total bigint,
      source_health text COLLATE "C",
      source_verdict text COLLATE "C",
      PRIMARY KEY (customer_id, gpu_id, at)
    ) PARTITION BY RANGE (at)`);
}

/** Creates the days of GPUs, and their running sums (src/model/gpu-days/README.md). */
async function createDays(runner: QueryRunner): Promise<void> {
  await runner.query(`
    CREATE TABLE fleet.gpu_days (
      customer_id integer NOT NULL,
      gpu_id text COLLATE "C" NOT NULL,
      day timestamptz(3) NOT NULL,
      samples smallint[] NOT NULL,
      ${HALF_HOUR_MEANS.map((mean) => `${mean}_sum float8[] NOT NULL, ${mean}_n smallint[] NOT NULL,`).join('\n      ')}
      xid_reports smallint[] NOT NULL,
      ${DAY_MEANS.map((mean) => `${mean}_sum float8 NOT NULL, ${mean}_n integer NOT NULL,`).join('\n      ')}
      PRIMARY KEY (customer_id, gpu_id, day)
    ) PARTITION BY RANGE (day)`);
  await runner.query(`
    COMMENT ON TABLE fleet.gpu_days IS
      'One UTC day of one GPU. Arrays have one element per half hour; updated in the transaction of the samples'`);

  await runner.query(`
    CREATE TABLE fleet.gpu_day_sums (
      customer_id integer NOT NULL,
      gpu_id text COLLATE "C" NOT NULL,
      day timestamptz(3) NOT NULL,
      samples integer NOT NULL,
      xid_reported bigint NOT NULL,
      utilization_sums float8[] NOT NULL,
      utilization_counts integer[] NOT NULL,
      temperature_sums float8[] NOT NULL,
      temperature_counts integer[] NOT NULL,
      utilization_series bytea NOT NULL,
      utilization_series_ends smallint[] NOT NULL,
      first_half_hour smallint,
      sampled_half_hours smallint NOT NULL,
      utilization_half_hours smallint NOT NULL,
      busy_half_hours float8 NOT NULL,
      power_half_hours smallint NOT NULL,
      watt_half_hours float8 NOT NULL,
      PRIMARY KEY (customer_id, gpu_id, day)
    ) PARTITION BY RANGE (day)`);
  await runner.query(`
    COMMENT ON TABLE fleet.gpu_day_sums IS
      'Running sums of a gpu_days row, for lists: element n covers the first n half hours of the day'`);
  await runner.query(`COMMENT ON COLUMN fleet.gpu_day_sums.samples IS 'Samples of the whole day'`);
  await runner.query(`
    COMMENT ON COLUMN fleet.gpu_day_sums.xid_reported IS
      'Bit n is set when XIDs were reported in half hour n, counted from 0'`);
  await runner.query(`
    COMMENT ON COLUMN fleet.gpu_day_sums.utilization_series IS
      'ASCII: the mean of each half hour with readings, and a comma'`);
  await runner.query(`
    COMMENT ON COLUMN fleet.gpu_day_sums.utilization_series_ends IS
      'Element n is the length of utilization_series up to half hour n, counted from 1'`);
  await runner.query(`
    COMMENT ON COLUMN fleet.gpu_day_sums.first_half_hour IS
      'Number of the first half hour with samples, counted from 1; null without samples'`);
  await runner.query(`
    COMMENT ON COLUMN fleet.gpu_day_sums.sampled_half_hours IS
      'Half hours of the day with samples; utilization_half_hours and power_half_hours have readings of these'`);
  await runner.query(`
    COMMENT ON COLUMN fleet.gpu_day_sums.busy_half_hours IS
      'Sum of the mean utilization of each half hour, where 1 is 100 %'`);
  await runner.query(`
    COMMENT ON COLUMN fleet.gpu_day_sums.watt_half_hours IS 'Sum of the mean power draw of each half hour in W'`);
}

/** Creates the events of XIDs (docs/decisions/xid-incidents.md). */
async function createXidEvents(runner: QueryRunner): Promise<void> {
  await runner.query(`
    CREATE TABLE fleet.gpu_xid_events (
      customer_id integer NOT NULL,
      gpu_id text COLLATE "C" NOT NULL,
      at timestamptz(3) NOT NULL,
      code integer NOT NULL,
      digest uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
      variant text COLLATE "C" NOT NULL DEFAULT '',
      message text COLLATE "C" NOT NULL DEFAULT '',
      sequence bigint NOT NULL DEFAULT 0,
      slot text COLLATE "C" NOT NULL DEFAULT '',
      reach_ms integer NOT NULL DEFAULT 0,
      opens_incident boolean NOT NULL DEFAULT true,
      alert_id uuid,
      PRIMARY KEY (customer_id, gpu_id, at, code, digest)
    ) PARTITION BY RANGE (at)`);
  await runner.query(`
    COMMENT ON COLUMN fleet.gpu_xid_events.digest IS
      'Hash of the message and its number among equal lines of one time; that of a gauge has no message'`);
  await runner.query(`
    COMMENT ON COLUMN fleet.gpu_xid_events.slot IS 'Host and PCI address in the kernel log; otherwise empty'`);
  await runner.query(`
    COMMENT ON COLUMN fleet.gpu_xid_events.reach_ms IS
      '0 for the time of the driver; for a gauge the longest time between the XID and the sample that shows it'`);
  await runner.query(`
    COMMENT ON COLUMN fleet.gpu_xid_events.opens_incident IS
      'Whether the event is the first of an incident; XID counts are counts of these'`);
  await runner.query(`
    COMMENT ON COLUMN fleet.gpu_xid_events.alert_id IS 'Alert of the incident'`);
  await runner.query(`
    COMMENT ON COLUMN fleet.gpu_xid_events.variant IS
      'Level of an NVLink error (XIDs 144 to 150) or recovery action of XID 154; otherwise empty'`);
  await runner.query(`
    COMMENT ON COLUMN fleet.gpu_xid_events.sequence IS 'Order of events of a GPU with the same time'`);
  // Events and incidents of all GPUs, then incidents of one code.
  await runner.query(
    'CREATE INDEX gpu_xid_events_by_time ON fleet.gpu_xid_events (customer_id, at) INCLUDE (gpu_id, code, opens_incident)',
  );
  await runner.query(
    'CREATE INDEX gpu_xid_incidents_by_code ON fleet.gpu_xid_events (customer_id, code, at) WHERE opens_incident',
  );
}

async function createProcessesAndWorkloads(runner: QueryRunner): Promise<void> {
  await runner.query(`
    CREATE TABLE fleet.gpu_processes (
      customer_id integer NOT NULL,
      gpu_id text COLLATE "C" NOT NULL,
      pid bigint NOT NULL,
      started_at timestamptz(3) NOT NULL,
      name text COLLATE "C" NOT NULL DEFAULT '',
      description text COLLATE "C" NOT NULL DEFAULT '',
      usage_category text COLLATE "C" NOT NULL DEFAULT '',
      ${PLACE},
      gpu_utilization_pct real,
      memory_used_mib real,
      first_seen timestamptz(3) NOT NULL,
      last_seen timestamptz(3) NOT NULL,
      PRIMARY KEY (customer_id, gpu_id, pid, started_at)
    )`);

  // Workloads are pods and jobs. workload_id is a hash of their identity, whose text may be too long for an index.
  await runner.query(`
    CREATE TABLE fleet.gpu_workloads (
      customer_id integer NOT NULL,
      gpu_id text COLLATE "C" NOT NULL,
      workload_id uuid NOT NULL,
      name text COLLATE "C" NOT NULL,
      description text COLLATE "C" NOT NULL DEFAULT '',
      usage_category text COLLATE "C" NOT NULL DEFAULT '',
      ${PLACE},
      first_seen timestamptz(3) NOT NULL,
      last_seen timestamptz(3) NOT NULL,
      PRIMARY KEY (customer_id, gpu_id, workload_id)
    )`);
}
