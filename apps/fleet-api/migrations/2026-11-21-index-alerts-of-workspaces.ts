import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The orders of the list beside the time, as for whole customers. */
const LEADING = {
  severity: 'severity',
  type: 'type',
  state: 'state',
  hostname: 'hostname',
  hostname_descending: 'hostname DESC NULLS LAST',
};

/**
 * An index for each order within a workspace: without it a caller of a small workspace reads past the rows of all the
 * others. Alerts of no workspace have theirs: to PostgreSQL `IS NULL` is no value, so behind it no order of an index counts,
 * and all of them would be read and sorted. And one for past states by their end: a walk needs those that ended after it
 * began, and would otherwise read past all that ended before.
 */
export class IndexAlertsOfWorkspaces1795249800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const [name, column] of Object.entries(LEADING)) {
      await runner.query(`
        CREATE INDEX alerts_of_workspace_by_${name}
        ON fleet.alerts (customer_id, workspace_id, ${column}, created_at DESC, id)`);
      await runner.query(`
        CREATE INDEX alerts_of_no_workspace_by_${name} ON fleet.alerts (customer_id, ${column}, created_at DESC, id)
        WHERE workspace_id IS NULL`);
    }
    await runner.query(`
      CREATE INDEX alerts_of_no_workspace ON fleet.alerts (customer_id, created_at DESC, id)
      WHERE workspace_id IS NULL`);
    await runner.query(`
      CREATE INDEX alert_past_states_by_end ON fleet.alert_past_states (customer_id, until_seq)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX fleet.alert_past_states_by_end');
    await runner.query('DROP INDEX fleet.alerts_of_no_workspace');
    for (const name of Object.keys(LEADING)) {
      await runner.query(
        `DROP INDEX fleet.alerts_of_workspace_by_${name}, fleet.alerts_of_no_workspace_by_${name}`,
      );
    }
  }
}
