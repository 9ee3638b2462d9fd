import type { MigrationInterface, QueryRunner } from 'typeorm';

const SIGNATURE = '(parent text, instant timestamptz)';
const SETTINGS = "SET search_path = pg_catalog, pg_temp SET timezone = 'UTC'";

/**
 * Partitioned tables and how long each kind of data is kept (docs/decisions/retention.md).
 *
 * The owner creates partitions for any time. The importer, which may run no DDL, creates them through
 * `ensure_partition`, which rejects times outside retention: a row that came again after its partition was dropped
 * would be counted twice in the rollups.
 */
export class CreatePartitions1795310060000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE fleet.retention (
        kind text COLLATE "C" PRIMARY KEY CHECK (kind IN ('alerts', 'events', 'rollups', 'samples')),
        period interval NOT NULL
      )`);
    await runner.query(`
      COMMENT ON COLUMN fleet.retention.period IS 'How long data of this kind is kept; set by retention apply'`);
    await runner.query(`
      INSERT INTO fleet.retention (kind, period)
      SELECT kind, interval '13 months' FROM unnest(ARRAY['alerts', 'events', 'rollups', 'samples']) AS kind`);
    await runner.query(`
      CREATE TABLE fleet.partitioned_tables (
        table_name text COLLATE "C" PRIMARY KEY,
        grain text COLLATE "C" NOT NULL CHECK (grain IN ('month', 'day')),
        kind text COLLATE "C" NOT NULL CHECK (kind IN ('alerts', 'events', 'rollups', 'samples')),
        dropped_before timestamptz(3)
      )`);
    await runner.query(`
      COMMENT ON COLUMN fleet.partitioned_tables.dropped_before IS
        'Data before this time was dropped. The importer rejects it, even after the retention period grows'`);
    await runner.query(`
      CREATE FUNCTION fleet.create_partition${SIGNATURE} RETURNS void
      LANGUAGE plpgsql ${SETTINGS} AS $$
      DECLARE
        grain text := (SELECT p.grain FROM fleet.partitioned_tables p WHERE p.table_name = parent);
        lower_bound timestamptz := date_trunc(grain, instant);
        upper_bound timestamptz := lower_bound + ('1 ' || grain)::interval;
        partition_name text :=
          parent || to_char(lower_bound, CASE grain WHEN 'day' THEN '"_"YYYY"_"MM"_"DD' ELSE '"_"YYYY"_"MM' END);
      BEGIN
        -- Two sessions may need the same partition. Reading pg_class, not to_regclass: the session's cache misses what
        -- another session created while this one waited for the lock.
        PERFORM pg_advisory_xact_lock(hashtextextended('gpu-observatory:partition:' || partition_name, 0));
        IF EXISTS (SELECT FROM pg_class c WHERE c.relname = partition_name AND c.relnamespace = 'fleet'::regnamespace) THEN
          RETURN;
        END IF;
        -- Attaching, unlike CREATE … PARTITION OF, does not block readers.
        EXECUTE format('CREATE TABLE fleet.%I (LIKE fleet.%I INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE)',
                       partition_name, parent);
        EXECUTE format('ALTER TABLE fleet.%I ATTACH PARTITION fleet.%I FOR VALUES FROM (%L) TO (%L)',
                       parent, partition_name, lower_bound, upper_bound);
      END $$`);
    await runner.query(`REVOKE ALL ON FUNCTION fleet.create_partition${SIGNATURE} FROM PUBLIC`);
    await runner.query(`COMMENT ON FUNCTION fleet.create_partition${SIGNATURE} IS
      'For the owner only: creates the partition that contains an instant, unless it exists'`);
    await runner.query(`
      CREATE FUNCTION fleet.ensure_partition${SIGNATURE} RETURNS timestamptz
      LANGUAGE plpgsql SECURITY DEFINER ${SETTINGS} AS $$
      DECLARE
        period interval;
        dropped_before timestamptz;
      BEGIN
        SELECT r.period, p.dropped_before INTO period, dropped_before
        FROM fleet.partitioned_tables p JOIN fleet.retention r ON r.kind = p.kind WHERE p.table_name = parent;
        IF NOT FOUND THEN
          RAISE EXCEPTION 'fleet.% is not a partitioned table', parent USING ERRCODE = 'invalid_parameter_value';
        END IF;
        IF instant < now() - period OR instant > now() + interval '2 months' THEN
          RAISE EXCEPTION '% is outside the retention period (from % to 2 months ahead)', instant, now() - period
            USING ERRCODE = 'datetime_field_overflow';
        END IF;
        IF instant < dropped_before THEN
          RAISE EXCEPTION '% is outside the retention period (data before % was dropped)', instant, dropped_before
            USING ERRCODE = 'datetime_field_overflow';
        END IF;
        PERFORM fleet.create_partition(parent, instant);
        RETURN greatest(now() - period, dropped_before);
      END $$`);
    await runner.query(`
      COMMENT ON FUNCTION fleet.ensure_partition${SIGNATURE} IS
        'Creates the partition for this time, if it is within retention. Returns the earliest time that is'`);
    await runner.query(`REVOKE ALL ON FUNCTION fleet.ensure_partition${SIGNATURE} FROM PUBLIC`);
    await runner.query(`GRANT EXECUTE ON FUNCTION fleet.ensure_partition${SIGNATURE} TO fleet_importer`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `DROP FUNCTION fleet.ensure_partition${SIGNATURE}, fleet.create_partition${SIGNATURE}`,
    );
    await runner.query('DROP TABLE fleet.partitioned_tables, fleet.retention');
  }
}
