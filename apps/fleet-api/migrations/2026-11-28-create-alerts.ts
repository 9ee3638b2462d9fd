import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Columns that a list filters, sorts and returns. Past states have them too, so that one predicate reads both tables. */
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
 * Indexes are in the reverse of the order of a list, and scanned backward: new alerts are then inserted at the end of a range of
 * equal values, where PostgreSQL splits pages without leaving half of them empty.
 */
const NEWEST_LAST = 'created_at, id DESC';

/**
 * Index columns of each sort before and after the time, by the suffix of the indexes. The columns after it serve filters on
 * a second and third field without reading the rows: a scan reads the field with the rarest values first.
 */
const SORTS = {
  severity: { before: 'severity', after: ', state' },
  type: { before: 'type', after: ', severity, state' },
  state: { before: 'state', after: '' },
  // Backward, nulls are last. A forward scan finds the hostnames of a page in ascending order.
  hostname: { before: 'hostname NULLS FIRST', after: '' },
};

const PARTITIONED_TABLES = ['alerts', 'alert_details', 'alert_words', 'alert_timeline_events'];

/**
 * Alerts (docs/decisions/alert-queries.md).
 *
 * `severity` and `state` are ranks: indexes in the lists of domain-types, so that an index sorts them in that order.
 * `doc` is the JSON of the list item, rendered on write: rendering is most of the cost of a page.
 * `seq` is the batch that created the alert, `state_seq` the one that last changed its state. A page as of sequence
 * number S consists of the current rows with both <= S, and the past states that were current at S
 * (docs/decisions/snapshot-pagination.md).
 */
export class CreateAlerts1795860000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE fleet.alerts (
        ${LISTED_COLUMNS},
        state_seq bigint NOT NULL,
        state_at timestamptz(3),
        words integer[] NOT NULL,
        doc text COLLATE "C" NOT NULL,
        PRIMARY KEY (customer_id, id, created_at)
      ) PARTITION BY RANGE (created_at)`);
    await runner.query(`
      COMMENT ON COLUMN fleet.alerts.state_at IS
        'When the state last changed, by the clock of the source; null while it has the state it was created with'`);
    await runner.query(`
      COMMENT ON COLUMN fleet.alerts.words IS
        'Keys in fleet.alert_words of the words in hostname, title and description'`);
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
        'The alert from since_seq until before until_seq. Deleted after the page tokens that need it have expired'`);

    // Counts read the rows at both ends of a window from the last three columns.
    await runner.query(`
      CREATE INDEX alerts_newest ON fleet.alerts (customer_id, ${NEWEST_LAST}, severity, state, type)`);
    await runner.query(`
      CREATE INDEX alerts_newest_of_workspace ON fleet.alerts (customer_id, workspace_id, ${NEWEST_LAST})
      WHERE workspace_id IS NOT NULL`);
    await runner.query(
      `CREATE INDEX alert_past_states_newest ON fleet.alert_past_states (customer_id, ${NEWEST_LAST})`,
    );
    for (const [name, { before, after }] of Object.entries(SORTS)) {
      const columns = `${before}, ${NEWEST_LAST}${after}`;
      await runner.query(`CREATE INDEX alerts_by_${name} ON fleet.alerts (customer_id, ${columns})`);
      await runner.query(`
        CREATE INDEX alert_past_states_by_${name}
        ON fleet.alert_past_states (customer_id, ${before}, ${NEWEST_LAST})`);
      // Without these, a list of a small workspace would read past the rows of all others.
      await runner.query(`
        CREATE INDEX alerts_of_workspace_by_${name} ON fleet.alerts (customer_id, workspace_id, ${columns})
        WHERE workspace_id IS NOT NULL`);
      // PostgreSQL does not use the order of the index columns behind an IS NULL, so these alerts have partial indexes.
      await runner.query(`
        CREATE INDEX alerts_of_no_workspace_by_${name} ON fleet.alerts (customer_id, ${columns})
        WHERE workspace_id IS NULL`);
    }
    await runner.query(`
      CREATE INDEX alerts_of_no_workspace ON fleet.alerts (customer_id, ${NEWEST_LAST})
      WHERE workspace_id IS NULL`);
    // An alert type has few alerts of a rare severity.
    await runner.query(`
      CREATE INDEX alerts_by_type_and_severity ON fleet.alerts (customer_id, type, severity, ${NEWEST_LAST}, state)`);
    await runner.query(`
      CREATE INDEX alerts_of_key ON fleet.alerts (customer_id, api_key_id, ${NEWEST_LAST}, severity, state, type)
      INCLUDE (workspace_id) WHERE api_key_id IS NOT NULL`);
    await runner.query(`
      CREATE INDEX alerts_of_gpu ON fleet.alerts (customer_id, gpu_id, created_at) INCLUDE (severity, type)
      WHERE gpu_id IS NOT NULL`);
    // Each customer has its own keys.
    await runner.query('CREATE INDEX alerts_with_word ON fleet.alerts USING gin (words)');
    // Retention deletes past states by age; pagination reads those that ended after it began.
    await runner.query(
      'CREATE INDEX alert_past_states_by_age ON fleet.alert_past_states (customer_id, changed_at)',
    );
    await runner.query(
      'CREATE INDEX alert_past_states_by_end ON fleet.alert_past_states (customer_id, until_seq)',
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
      CREATE TABLE fleet.alert_words (
        customer_id integer NOT NULL,
        month timestamptz(3) NOT NULL,
        word text COLLATE "C" NOT NULL,
        key integer NOT NULL,
        trigrams integer[] NOT NULL,
        PRIMARY KEY (customer_id, word, month)
      ) PARTITION BY RANGE (month)`);
    await runner.query(`
      COMMENT ON TABLE fleet.alert_words IS
        'Words in the texts of the alerts of each month, in lower case. Keys and trigrams are CRC-32 sums of the customer and the text'`);
    await runner.query('CREATE INDEX alert_words_with_trigram ON fleet.alert_words USING gin (trigrams)');

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
        workspace_id integer NOT NULL,
        n bigint NOT NULL,
        PRIMARY KEY (customer_id, scope_kind, scope_id, grain, bucket, severity, state, type, workspace_id) INCLUDE (n)
      ) WITH (fillfactor = 70)`);
    await runner.query(`
      COMMENT ON TABLE fleet.alert_counts IS
        'Alerts counted in their own transaction. scope_kind: 0 customer, 1 workspace (0: no workspace), 2 API key; 3 customer, 4 workspace and 6 API key over all types (type is empty); 5 customer and 7 workspace by type (severity and state are -1); grain: 0 month, 1 day, 2 hour (not of scope_kind 1, 2 and 6); workspace_id: of an API key (0: no workspace), 0 for others'`);

    await runner.query(
      `
      INSERT INTO fleet.partitioned_tables (table_name, grain, kind)
      SELECT table_name, 'month', 'alerts' FROM unnest($1::text[]) AS table_name`,
      [PARTITIONED_TABLES],
    );
    const tables = [...PARTITIONED_TABLES, 'alert_past_states', 'alert_counts'].map(
      (table) => `fleet.${table}`,
    );
    await runner.query(`GRANT SELECT ON ${tables.join(', ')} TO fleet_api`);
    await runner.query(`GRANT SELECT, INSERT, UPDATE ON ${tables.join(', ')} TO fleet_importer`);
    await runner.query('GRANT DELETE ON fleet.alert_past_states TO fleet_importer');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE fleet.alert_counts, fleet.alert_timeline_events, fleet.alert_details, fleet.alert_words,
        fleet.alert_past_states, fleet.alerts`);
    await runner.query('DELETE FROM fleet.partitioned_tables WHERE table_name = ANY ($1)', [
      PARTITIONED_TABLES,
    ]);
  }
}
