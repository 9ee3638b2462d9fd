import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * GPUs and their telemetry. Raw samples are kept for days; a row a GPU and UTC day with 48 half-hour sums and counts is
 * what windows are read from, so that neither the length of the window nor the spacing of samples decides how much is
 * read. Health is stored as facts with their evidence and is decided when read: it changes with the clock alone.
 */
export class CreateGpus1795219230000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
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
        report_interval_seconds integer NOT NULL DEFAULT 60,
        inventory_at timestamptz(3) NOT NULL,
        first_seen timestamptz(3) NOT NULL,
        last_seen timestamptz(3) NOT NULL,
        latest jsonb NOT NULL DEFAULT '{}',
        health_memory jsonb NOT NULL DEFAULT '{}',
        health_facts jsonb NOT NULL DEFAULT '[]',
        critical_until timestamptz(3),
        degraded_until timestamptz(3),
        PRIMARY KEY (customer_id, gpu_id)
      )`);
    await runner.query(`COMMENT ON COLUMN fleet.gpus.latest IS 'The newest reading of each quantity'`);
    await runner.query(`
      COMMENT ON COLUMN fleet.gpus.health_memory IS
        'What the importer must remember of the last sample to see counters grow, XIDs change and throttling begin'`);
    await runner.query(`
      CREATE INDEX gpus_by_workspace ON fleet.gpus (customer_id, workspace_id, gpu_id)`);

    await runner.query(`
      CREATE TABLE fleet.gpu_samples (
        customer_id integer NOT NULL,
        gpu_id text COLLATE "C" NOT NULL,
        at timestamptz(3) NOT NULL,
        utilization_pct real,
        memory_used_mib real,
        memory_total_mib real,
        temperature_c real,
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
        nvlink_errors_total bigint,
        pcie_replays_total bigint,
        PRIMARY KEY (customer_id, gpu_id, at)
      ) PARTITION BY RANGE (at)`);

    await runner.query(`
      CREATE TABLE fleet.gpu_days (
        customer_id integer NOT NULL,
        gpu_id text COLLATE "C" NOT NULL,
        day timestamptz(3) NOT NULL,
        samples smallint[] NOT NULL,
        utilization_sum float8[] NOT NULL,
        utilization_n smallint[] NOT NULL,
        memory_used_sum float8[] NOT NULL,
        memory_used_n smallint[] NOT NULL,
        temperature_sum float8[] NOT NULL,
        temperature_n smallint[] NOT NULL,
        power_sum float8[] NOT NULL,
        power_n smallint[] NOT NULL,
        xid_reports smallint[] NOT NULL,
        memory_pct_sum float8 NOT NULL,
        memory_pct_n integer NOT NULL,
        fan_sum float8 NOT NULL,
        fan_n integer NOT NULL,
        sm_clock_sum float8 NOT NULL,
        sm_clock_n integer NOT NULL,
        memory_clock_sum float8 NOT NULL,
        memory_clock_n integer NOT NULL,
        PRIMARY KEY (customer_id, gpu_id, day)
      ) PARTITION BY RANGE (day)`);
    await runner.query(`
      COMMENT ON TABLE fleet.gpu_days IS
        'One UTC day of one GPU; arrays have 48 half hours; kept exact with the samples in their transaction'`);

    await runner.query(`
      CREATE TABLE fleet.gpu_xid_events (
        customer_id integer NOT NULL,
        gpu_id text COLLATE "C" NOT NULL,
        at timestamptz(3) NOT NULL,
        code integer NOT NULL,
        message text COLLATE "C" NOT NULL DEFAULT '',
        PRIMARY KEY (customer_id, gpu_id, at, code)
      ) PARTITION BY RANGE (at)`);
    await runner.query(
      'CREATE INDEX gpu_xid_events_by_time ON fleet.gpu_xid_events (customer_id, at) INCLUDE (gpu_id, code)',
    );

    await runner.query(`
      CREATE TABLE fleet.gpu_processes (
        customer_id integer NOT NULL,
        gpu_id text COLLATE "C" NOT NULL,
        pid bigint NOT NULL,
        started_at timestamptz(3) NOT NULL,
        name text COLLATE "C" NOT NULL DEFAULT '',
        description text COLLATE "C" NOT NULL DEFAULT '',
        usage_category text COLLATE "C" NOT NULL DEFAULT '',
        gpu_utilization_pct real,
        memory_used_mib real,
        first_seen timestamptz(3) NOT NULL,
        last_seen timestamptz(3) NOT NULL,
        PRIMARY KEY (customer_id, gpu_id, pid, started_at)
      )`);

    await runner.query(`
      INSERT INTO fleet.partitioned_tables (table_name, grain)
      VALUES ('gpu_samples', 'day'), ('gpu_days', 'month'), ('gpu_xid_events', 'month')`);
    await runner.query(`
      GRANT SELECT ON fleet.gpus, fleet.gpu_samples, fleet.gpu_days, fleet.gpu_xid_events, fleet.gpu_processes TO fleet_api`);
    await runner.query(`
      GRANT SELECT, INSERT, UPDATE ON fleet.gpus, fleet.gpu_samples, fleet.gpu_days, fleet.gpu_xid_events,
        fleet.gpu_processes TO fleet_importer`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP TABLE fleet.gpu_processes, fleet.gpu_xid_events, fleet.gpu_days, fleet.gpu_samples, fleet.gpus',
    );
    await runner.query(
      `DELETE FROM fleet.partitioned_tables WHERE table_name IN ('gpu_samples', 'gpu_days', 'gpu_xid_events')`,
    );
  }
}
