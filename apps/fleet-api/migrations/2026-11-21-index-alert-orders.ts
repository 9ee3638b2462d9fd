import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The columns that sort before the time, or select few of many rows, and how each is sorted. */
const LEADING = {
  severity: 'severity',
  type: 'type',
  state: 'state',
  hostname: 'hostname',
  // Null comes last both ways, and a range read backwards would have the oldest first: it has an index of its own.
  hostname_descending: 'hostname DESC NULLS LAST',
};
const TABLES = ['alerts', 'alert_past_states'];

/** An index for each order of the list, of alerts and of their past states, and one for an API key's alerts. */
export class IndexAlertOrders1795219320000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      for (const [name, column] of Object.entries(LEADING)) {
        await runner.query(`
          CREATE INDEX ${table}_by_${name} ON fleet.${table} (customer_id, ${column}, created_at DESC, id)`);
      }
    }
    await runner.query(`
      CREATE INDEX alerts_of_key ON fleet.alerts (customer_id, api_key_id, created_at DESC, id)
      WHERE api_key_id IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX fleet.alerts_of_key');
    for (const table of TABLES) {
      for (const name of Object.keys(LEADING)) await runner.query(`DROP INDEX fleet.${table}_by_${name}`);
    }
  }
}
