import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Counts without the type, as two more kinds of scope: a total or a trend reads one row where it read one for each of 44
 * types. An importer of the release before keeps only the counts with types, so `total_positions` says up to which import
 * the others are kept too: where that is not the customer's newest one, readers do without them, and the next importer
 * that knows them counts them anew.
 */
export class CountAlertsWithoutTypes1795246200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Whoever imports waits; whoever reads does not.
    await runner.query('LOCK TABLE fleet.import_positions IN EXCLUSIVE MODE');
    await runner.query(`
      CREATE TABLE fleet.total_positions (
        customer_id integer PRIMARY KEY,
        seq bigint NOT NULL
      )`);
    await runner.query(`
      COMMENT ON TABLE fleet.total_positions IS
        'The import up to which a customer''s counts without types are kept: of use where it is the newest of import_positions'`);
    await runner.query(`
      INSERT INTO fleet.alert_counts (customer_id, scope_kind, scope_id, grain, bucket, severity, state, type, n)
      SELECT c.customer_id, c.scope_kind + 3, c.scope_id, c.grain, c.bucket, c.severity, c.state, '', sum(c.n)
      FROM fleet.alert_counts c WHERE c.scope_kind IN (0, 1)
      GROUP BY c.customer_id, c.scope_kind, c.scope_id, c.grain, c.bucket, c.severity, c.state`);
    await runner.query(`
      INSERT INTO fleet.total_positions (customer_id, seq)
      SELECT p.customer_id, p.seq FROM fleet.import_positions p`);
    await runner.query(`
      COMMENT ON TABLE fleet.alert_counts IS
        'Alerts counted in their own transaction. scope_kind: 0 customer, 1 workspace (0: none), 2 API key, 3 customer and 4 workspace without types (type is empty); grain: 0 month, 1 day, 2 hour'`);
    await runner.query('GRANT SELECT ON fleet.total_positions TO fleet_api');
    await runner.query('GRANT SELECT, INSERT, UPDATE ON fleet.total_positions TO fleet_importer');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE fleet.total_positions');
    await runner.query('DELETE FROM fleet.alert_counts WHERE scope_kind IN (3, 4)');
  }
}
