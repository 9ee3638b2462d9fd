import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a list filters, sorts and serves; an alert's past states carry the same, so that one predicate reads both. */
const LISTED_COLUMNS = `
  customer_id integer NOT NULL,
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL,
  workspace_id integer,
  api_key_id integer,
  severity smallint NOT NULL,
  state smallint NOT NULL,
  type text COLLATE "C" NOT NULL,
  hostname text COLLATE "C",
  title text COLLATE "C" NOT NULL,
  description text COLLATE "C" NOT NULL,
  gpu_id text COLLATE "C",
  seq bigint NOT NULL`;

/**
 * Alerts. `severity` and `state` are ranks (positions in the contract's lists), so that an index sorts them as the
 * contract does; `doc` is the list item's JSON, rendered when the row is written, since turning rows into text is what
 * a page costs. `seq` is the batch that brought the alert and `state_seq` the one that last changed its state: a page
 * as of S is the current rows with both <= S, and the past states that held at S.
 */
export class CreateAlerts1795219260000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE fleet.alerts (
        ${LISTED_COLUMNS},
        state_seq bigint NOT NULL,
        doc text COLLATE "C" NOT NULL,
        PRIMARY KEY (customer_id, id, created_at)
      ) PARTITION BY RANGE (created_at)`);
    await runner.query('CREATE INDEX alerts_newest ON fleet.alerts (customer_id, created_at DESC, id)');
    await runner.query(
      'CREATE INDEX alerts_newest_of_workspace ON fleet.alerts (customer_id, workspace_id, created_at DESC, id)',
    );
    await runner.query(`
      CREATE INDEX alerts_of_gpu ON fleet.alerts (customer_id, gpu_id, created_at) INCLUDE (severity, type)
      WHERE gpu_id IS NOT NULL`);

    await runner.query(`
      CREATE TABLE fleet.alert_past_states (
        ${LISTED_COLUMNS},
        since_seq bigint NOT NULL,
        until_seq bigint NOT NULL,
        changed_at timestamptz(3) NOT NULL,
        doc text COLLATE "C" NOT NULL,
        PRIMARY KEY (customer_id, id, since_seq)
      )`);
    await runner.query(`
      COMMENT ON TABLE fleet.alert_past_states IS
        'What an alert was from since_seq until before until_seq; walks older than 24 h have expired, so these are pruned then'`);
    await runner.query(
      'CREATE INDEX alert_past_states_newest ON fleet.alert_past_states (customer_id, created_at DESC, id)',
    );
    await runner.query(
      'CREATE INDEX alert_past_states_by_age ON fleet.alert_past_states (customer_id, changed_at)',
    );

    await runner.query(`
      CREATE TABLE fleet.alert_details (
        customer_id integer NOT NULL,
        alert_id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL,
        session_id text COLLATE "C",
        host_id text COLLATE "C",
        resource_details text COLLATE "C" NOT NULL,
        PRIMARY KEY (customer_id, alert_id, created_at)
      ) PARTITION BY RANGE (created_at)`);

    await runner.query(`
      CREATE TABLE fleet.alert_timeline_events (
        customer_id integer NOT NULL,
        alert_id uuid NOT NULL,
        ts timestamptz(3) NOT NULL,
        digest uuid NOT NULL,
        doc text COLLATE "C" NOT NULL,
        PRIMARY KEY (customer_id, alert_id, ts, digest)
      ) PARTITION BY RANGE (ts)`);
    await runner.query(`
      COMMENT ON COLUMN fleet.alert_timeline_events.digest IS 'MD5 of doc: the whole event is its identity'`);

    await runner.query(`
      CREATE TABLE fleet.alert_counts (
        customer_id integer NOT NULL,
        scope_kind smallint NOT NULL,
        scope_id integer NOT NULL,
        grain smallint NOT NULL,
        bucket timestamptz(3) NOT NULL,
        severity smallint NOT NULL,
        state smallint NOT NULL,
        type text COLLATE "C" NOT NULL,
        n bigint NOT NULL,
        PRIMARY KEY (customer_id, scope_kind, scope_id, grain, bucket, severity, state, type) INCLUDE (n)
      ) WITH (fillfactor = 70)`);
    await runner.query(`
      COMMENT ON TABLE fleet.alert_counts IS
        'Alerts counted in their own transaction. scope_kind: 0 customer, 1 workspace (0: none), 2 API key; grain: 0 month, 1 day, 2 hour'`);

    await runner.query(`
      INSERT INTO fleet.partitioned_tables (table_name, grain)
      VALUES ('alerts', 'month'), ('alert_details', 'month'), ('alert_timeline_events', 'month')`);
    await runner.query(`
      GRANT SELECT ON fleet.alerts, fleet.alert_past_states, fleet.alert_details, fleet.alert_timeline_events,
        fleet.alert_counts TO fleet_api`);
    await runner.query(`
      GRANT SELECT, INSERT, UPDATE ON fleet.alerts, fleet.alert_past_states, fleet.alert_details,
        fleet.alert_timeline_events, fleet.alert_counts TO fleet_importer`);
    await runner.query('GRANT DELETE ON fleet.alert_past_states TO fleet_importer');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE fleet.alert_counts, fleet.alert_timeline_events, fleet.alert_details, fleet.alert_past_states, fleet.alerts`);
    await runner.query(`
      DELETE FROM fleet.partitioned_tables WHERE table_name IN ('alerts', 'alert_details', 'alert_timeline_events')`);
  }
}
