import type { MigrationInterface, QueryRunner } from 'typeorm';

const SIGNATURE = '(parent text, instant timestamptz)';
const SECURITY = "SET search_path = pg_catalog, pg_temp SET timezone = 'UTC'";

/** The partition of `parent` that `instant` falls in. */
const PARTITION = `
        grain text := (SELECT p.grain FROM fleet.partitioned_tables p WHERE p.table_name = parent);
        lower_bound timestamptz := date_trunc(grain, instant);
        upper_bound timestamptz := lower_bound + ('1 ' || grain)::interval;
        partition_name text :=
          parent || to_char(lower_bound, CASE grain WHEN 'day' THEN '"_"YYYY"_"MM"_"DD' ELSE '"_"YYYY"_"MM' END);`;

const MAKING = `
        -- Two may need the same one. What is there is asked of the table itself: to_regclass would answer from this
        -- session's cache, which does not hear of the other one's while it waits for the lock.
        PERFORM pg_advisory_xact_lock(hashtextextended('gpu-observatory:partition:' || partition_name, 0));
        IF EXISTS (SELECT FROM pg_class c WHERE c.relname = partition_name AND c.relnamespace = 'fleet'::regnamespace) THEN
          RETURN;
        END IF;
        -- Attaching, unlike CREATE … PARTITION OF, lets readers go on.
        EXECUTE format('CREATE TABLE fleet.%I (LIKE fleet.%I INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE)',
                       partition_name, parent);
        EXECUTE format('ALTER TABLE fleet.%I ATTACH PARTITION fleet.%I FOR VALUES FROM (%L) TO (%L)',
                       parent, partition_name, lower_bound, upper_bound);`;

/**
 * How long each kind of data is kept stands in the database, so that the importer is refused what `retention apply` has
 * dropped or will drop: a row that came again after its partition went would be counted twice in the rollups. Until
 * `retention apply` says otherwise it is 13 months, as before. Making a partition and deciding whether the importer may
 * ask for it become two functions: the owner makes them ahead of time, further than any event may be.
 */
export class KeepEachKindForItsTime1795240800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE fleet.retention (
        kind text COLLATE "C" PRIMARY KEY CHECK (kind IN ('alerts', 'events', 'rollups', 'samples')),
        kept interval NOT NULL
      )`);
    await runner.query(`
      INSERT INTO fleet.retention (kind, kept)
      SELECT kind, interval '13 months' FROM unnest(ARRAY['alerts', 'events', 'rollups', 'samples']) AS kind`);
    await runner.query(`
      ALTER TABLE fleet.partitioned_tables
        ADD COLUMN kind text COLLATE "C" NOT NULL DEFAULT 'rollups'
          CHECK (kind IN ('alerts', 'events', 'rollups', 'samples')),
        ADD COLUMN dropped_before timestamptz(3)`);
    await runner.query(`
      COMMENT ON COLUMN fleet.partitioned_tables.dropped_before IS
        'What lay before was dropped, and stays refused however long is kept from now on'`);
    await runner.query(`
      UPDATE fleet.partitioned_tables SET kind = CASE
        WHEN table_name IN ('alerts', 'alert_details', 'alert_timeline_events') THEN 'alerts'
        WHEN table_name = 'gpu_xid_events' THEN 'events'
        WHEN table_name = 'gpu_samples' THEN 'samples'
        ELSE 'rollups' END`);
    // Digests outnumber everything else that is pruned by its age.
    await runner.query(
      'CREATE INDEX import_digests_by_age ON fleet.import_digests (customer_id, imported_at)',
    );
    await runner.query(`
      CREATE FUNCTION fleet.make_partition${SIGNATURE} RETURNS void
      LANGUAGE plpgsql ${SECURITY} AS $$
      DECLARE${PARTITION}
      BEGIN${MAKING}
      END $$`);
    await runner.query(`REVOKE ALL ON FUNCTION fleet.make_partition${SIGNATURE} FROM PUBLIC`);
    await runner.query(`COMMENT ON FUNCTION fleet.make_partition${SIGNATURE} IS
      'For the owner alone: makes the partition that an instant falls in, unless it is there'`);
    // Replaced, not made anew: its rights stay, and importers go on meanwhile.
    await runner.query(`
      CREATE OR REPLACE FUNCTION fleet.ensure_partition${SIGNATURE} RETURNS void
      LANGUAGE plpgsql SECURITY DEFINER ${SECURITY} AS $$
      DECLARE
        kept interval;
        dropped_before timestamptz;
      BEGIN
        SELECT r.kept, p.dropped_before INTO kept, dropped_before
        FROM fleet.partitioned_tables p JOIN fleet.retention r ON r.kind = p.kind WHERE p.table_name = parent;
        IF NOT FOUND THEN
          RAISE EXCEPTION 'fleet.% is no partitioned table', parent USING ERRCODE = 'invalid_parameter_value';
        END IF;
        IF instant < now() - kept OR instant > now() + interval '2 months' THEN
          RAISE EXCEPTION '% is outside of what is kept (since %)', instant, now() - kept USING ERRCODE = 'datetime_field_overflow';
        END IF;
        IF instant < dropped_before THEN
          RAISE EXCEPTION '% is outside of what is kept (what lay before % was dropped)', instant, dropped_before
            USING ERRCODE = 'datetime_field_overflow';
        END IF;
        PERFORM fleet.make_partition(parent, instant);
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION fleet.ensure_partition${SIGNATURE} RETURNS void
      LANGUAGE plpgsql SECURITY DEFINER ${SECURITY} AS $$
      DECLARE${PARTITION}
      BEGIN
        IF grain IS NULL THEN
          RAISE EXCEPTION 'fleet.% is no partitioned table', parent USING ERRCODE = 'invalid_parameter_value';
        END IF;
        IF instant < now() - interval '13 months' OR instant > now() + interval '2 months' THEN
          RAISE EXCEPTION '% is outside of what is kept (13 months)', instant USING ERRCODE = 'datetime_field_overflow';
        END IF;${MAKING}
      END $$`);
    await runner.query(`DROP FUNCTION fleet.make_partition${SIGNATURE}`);
    await runner.query('DROP INDEX fleet.import_digests_by_age');
    await runner.query('ALTER TABLE fleet.partitioned_tables DROP COLUMN dropped_before, DROP COLUMN kind');
    await runner.query('DROP TABLE fleet.retention');
  }
}
