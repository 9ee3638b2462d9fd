import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How far back events are kept and accepted; `ensure_partition` refuses what is older. */
const RETENTION = '13 months';

/**
 * What every import shares: the position that orders a customer's batches, the digests of scrapes already seen, and
 * the door through which the importer, which may run no DDL, gets a partition for an old event.
 */
export class CreateImports1795219200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE fleet.import_positions (
        customer_id integer PRIMARY KEY,
        seq bigint NOT NULL,
        imported_at timestamptz(3) NOT NULL
      )`);
    await runner.query(`
      COMMENT ON TABLE fleet.import_positions IS
        'Each batch takes the next seq under the row''s lock, so that seq follows the order of commits'`);
    await runner.query(`
      CREATE TABLE fleet.import_digests (
        customer_id integer NOT NULL,
        workspace_id integer NOT NULL,
        digest bytea NOT NULL,
        imported_at timestamptz(3) NOT NULL,
        PRIMARY KEY (customer_id, workspace_id, digest)
      )`);
    await runner.query(`
      CREATE TABLE fleet.workspaces (
        customer_id integer NOT NULL,
        workspace_id integer NOT NULL,
        name text COLLATE "C" NOT NULL,
        PRIMARY KEY (customer_id, workspace_id)
      )`);
    await runner.query(`
      CREATE TABLE fleet.partitioned_tables (
        table_name text COLLATE "C" PRIMARY KEY,
        grain text COLLATE "C" NOT NULL CHECK (grain IN ('month', 'day'))
      )`);
    await runner.query(`
      CREATE FUNCTION fleet.ensure_partition(parent text, instant timestamptz) RETURNS void
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' AS $$
      DECLARE
        grain text := (SELECT p.grain FROM fleet.partitioned_tables p WHERE p.table_name = parent);
        lower_bound timestamptz;
        upper_bound timestamptz;
        partition_name text;
      BEGIN
        IF grain IS NULL THEN
          RAISE EXCEPTION 'fleet.% is no partitioned table', parent USING ERRCODE = 'invalid_parameter_value';
        END IF;
        IF instant < now() - interval '${RETENTION}' OR instant > now() + interval '2 months' THEN
          RAISE EXCEPTION '% is outside of what is kept (${RETENTION})', instant USING ERRCODE = 'datetime_field_overflow';
        END IF;
        lower_bound := date_trunc(grain, instant);
        upper_bound := lower_bound + ('1 ' || grain)::interval;
        partition_name := parent || to_char(lower_bound, CASE grain WHEN 'day' THEN '"_"YYYY"_"MM"_"DD' ELSE '"_"YYYY"_"MM' END);
        -- Two importers may need the same one. What is there is asked of the table itself: to_regclass would answer from
        -- this session's cache, which does not hear of the other one's while it waits for the lock.
        PERFORM pg_advisory_xact_lock(hashtextextended('gpu-observatory:partition:' || partition_name, 0));
        IF EXISTS (SELECT FROM pg_class c WHERE c.relname = partition_name AND c.relnamespace = 'fleet'::regnamespace) THEN
          RETURN;
        END IF;
        -- Attaching, unlike CREATE … PARTITION OF, lets readers go on.
        EXECUTE format('CREATE TABLE fleet.%I (LIKE fleet.%I INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE)',
                       partition_name, parent);
        EXECUTE format('ALTER TABLE fleet.%I ATTACH PARTITION fleet.%I FOR VALUES FROM (%L) TO (%L)',
                       parent, partition_name, lower_bound, upper_bound);
      END $$`);
    await runner.query('REVOKE ALL ON FUNCTION fleet.ensure_partition(text, timestamptz) FROM PUBLIC');
    await runner.query(
      'GRANT EXECUTE ON FUNCTION fleet.ensure_partition(text, timestamptz) TO fleet_importer',
    );
    await runner.query('GRANT SELECT ON fleet.import_positions, fleet.workspaces TO fleet_api');
    await runner.query(`
      GRANT SELECT, INSERT, UPDATE ON fleet.import_positions, fleet.import_digests, fleet.workspaces TO fleet_importer`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION fleet.ensure_partition(text, timestamptz)');
    await runner.query(
      'DROP TABLE fleet.partitioned_tables, fleet.workspaces, fleet.import_digests, fleet.import_positions',
    );
  }
}
