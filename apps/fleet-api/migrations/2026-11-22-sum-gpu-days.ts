import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a GPU is missing from (`model/health/missing-data-timeout.ts`); in UTC, since a time with a zone makes it depend on the session. */
const MISSING_FROM = `((last_seen AT TIME ZONE 'UTC')
          + greatest(report_interval_seconds * interval '5 seconds', interval '300 seconds')) AT TIME ZONE 'UTC'`;
/** What a GPU's inventory says in a list, without the closing brace. */
const LIST_ITEM = `'{"workspace_id":' || workspace_id || ',' || substr(left(json_object(ARRAY[
          'gpu_id', gpu_id, 'vendor', vendor, 'model', model, 'compute_stack', compute_stack, 'driver_version', driver_version,
          'hostname', hostname, 'pcie_address', pcie_address, 'serial_no', serial_no])::text, -1), 2)`;

/**
 * What lists of GPUs are read from. A day's running sums tell what any half hours of it add up to by a subtraction, and its
 * series is cut out of a text that is there. They are made from `gpu_days`, in the same transaction. What a list asks of
 * `gpus` is generated there, whoever writes: the GPU's part of the list, the moment from which its silence makes it
 * missing, and indexes for the list's order.
 *
 * An importer of the release before knows nothing of running sums: `day_sum_positions` says up to which import they are kept,
 * and the next importer that knows them makes up for what is behind.
 */
export class SumGpuDays1795309200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Whoever imports waits.
    await runner.query('LOCK TABLE fleet.import_positions IN EXCLUSIVE MODE');
    await runner.query(`
      CREATE TABLE fleet.gpu_day_sums (
        customer_id integer NOT NULL,
        gpu_id text COLLATE "C" NOT NULL,
        day timestamptz(3) NOT NULL,
        samples integer NOT NULL,
        xid_reported bigint NOT NULL,
        utilization_sums float8[] NOT NULL,
        utilization_ns integer[] NOT NULL,
        temperature_sums float8[] NOT NULL,
        temperature_ns integer[] NOT NULL,
        utilization_series bytea NOT NULL,
        PRIMARY KEY (customer_id, gpu_id, day)
      ) PARTITION BY RANGE (day)`);
    await runner.query(`
      COMMENT ON TABLE fleet.gpu_day_sums IS
        'What lists read of a day in gpu_days, made from it: 48 sums and counts up to the end of each half hour'`);
    await runner.query(`
      COMMENT ON COLUMN fleet.gpu_day_sums.samples IS
        'Of the whole day; fewer than in gpu_days: made before the last of them came'`);
    await runner.query(`
      COMMENT ON COLUMN fleet.gpu_day_sums.xid_reported IS 'A bit a half hour, the first being the lowest'`);
    await runner.query(`
      COMMENT ON COLUMN fleet.gpu_day_sums.utilization_series IS
        'Seven characters a half hour: the mean and a comma, or spaces where there is none'`);
    await runner.query(`
      INSERT INTO fleet.partitioned_tables (table_name, grain, kind, dropped_before)
      SELECT 'gpu_day_sums', p.grain, p.kind, p.dropped_before FROM fleet.partitioned_tables p WHERE p.table_name = 'gpu_days'`);
    await runner.query(`
      SELECT fleet.make_partition('gpu_day_sums', to_date(right(c.relname, 7), 'YYYY_MM')::timestamp AT TIME ZONE 'UTC')
      FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'fleet.gpu_days'::regclass`);
    await runner.query(`
      INSERT INTO fleet.gpu_day_sums (customer_id, gpu_id, day, samples, xid_reported, utilization_sums, utilization_ns,
        temperature_sums, temperature_ns, utilization_series)
      SELECT d.customer_id, d.gpu_id, d.day, s.samples, s.xid_reported, s.utilization_sums, s.utilization_ns,
        s.temperature_sums, s.temperature_ns, s.utilization_series
      FROM fleet.gpu_days d CROSS JOIN LATERAL (
        SELECT sum(h.samples)::integer AS samples,
          sum(CASE WHEN h.xid_reports > 0 THEN 1::bigint << (h.place::integer - 1) ELSE 0 END)::bigint AS xid_reported,
          array_agg(h.utilization_sum ORDER BY h.place) AS utilization_sums,
          array_agg(h.utilization_n ORDER BY h.place) AS utilization_ns,
          array_agg(h.temperature_sum ORDER BY h.place) AS temperature_sums,
          array_agg(h.temperature_n ORDER BY h.place) AS temperature_ns,
          convert_to(string_agg(coalesce(lpad(to_char(h.mean, 'FM990.00'), 6) || ',', '       '), '' ORDER BY h.place),
            'UTF8') AS utilization_series
        FROM (
          SELECT u.place, u.samples, u.xid_reports, sum(u.utilization_sum) OVER w AS utilization_sum,
            (sum(u.utilization_n) OVER w)::integer AS utilization_n, sum(u.temperature_sum) OVER w AS temperature_sum,
            (sum(u.temperature_n) OVER w)::integer AS temperature_n,
            round(u.utilization_sum / nullif(u.utilization_n, 0) * 100) / 100 AS mean
          FROM unnest(d.samples, d.xid_reports, d.utilization_sum, d.utilization_n, d.temperature_sum, d.temperature_n)
            WITH ORDINALITY AS u (samples, xid_reports, utilization_sum, utilization_n, temperature_sum, temperature_n, place)
          WINDOW w AS (ORDER BY u.place)
        ) AS h
      ) AS s`);
    await runner.query(`
      CREATE TABLE fleet.day_sum_positions (
        customer_id integer PRIMARY KEY,
        seq bigint NOT NULL
      )`);
    await runner.query(`
      COMMENT ON TABLE fleet.day_sum_positions IS
        'The import up to which a customer''s gpu_day_sums are kept'`);
    await runner.query(`
      INSERT INTO fleet.day_sum_positions (customer_id, seq)
      SELECT p.customer_id, p.seq FROM fleet.import_positions p`);

    await runner.query(`
      ALTER TABLE fleet.gpus
        ADD COLUMN missing_from timestamptz(3) NOT NULL GENERATED ALWAYS AS (${MISSING_FROM}) STORED,
        ADD COLUMN list_item text COLLATE "C" NOT NULL GENERATED ALWAYS AS (${LIST_ITEM}) STORED`);
    await runner.query(`
      CREATE INDEX gpus_by_hostname ON fleet.gpus (customer_id, hostname, gpu_id)`);
    await runner.query(`
      CREATE INDEX gpus_by_silence ON fleet.gpus (customer_id, missing_from)`);
    for (const health of ['critical', 'degraded']) {
      await runner.query(`
        CREATE INDEX gpus_${health} ON fleet.gpus (customer_id, ${health}_until) WHERE ${health}_until IS NOT NULL`);
    }
    await runner.query('GRANT SELECT ON fleet.gpu_day_sums, fleet.day_sum_positions TO fleet_api');
    await runner.query(
      'GRANT SELECT, INSERT, UPDATE ON fleet.gpu_day_sums, fleet.day_sum_positions TO fleet_importer',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX fleet.gpus_degraded, fleet.gpus_critical, fleet.gpus_by_silence');
    await runner.query('DROP INDEX fleet.gpus_by_hostname');
    await runner.query('ALTER TABLE fleet.gpus DROP COLUMN list_item, DROP COLUMN missing_from');
    await runner.query('DROP TABLE fleet.day_sum_positions, fleet.gpu_day_sums');
    await runner.query(`DELETE FROM fleet.partitioned_tables WHERE table_name = 'gpu_day_sums'`);
  }
}
