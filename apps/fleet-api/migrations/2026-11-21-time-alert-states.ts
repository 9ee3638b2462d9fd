import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Since when an alert's state holds, so that changes may come late or twice and the latest of them still stands. Null
 * where the state is still the one that the alert was created with.
 */
export class TimeAlertStates1795219290000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE fleet.alerts ADD COLUMN state_at timestamptz(3)');
    await runner.query(`
      COMMENT ON COLUMN fleet.alerts.state_at IS
        'When the state last changed, by its source''s clock; null: as it was created'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE fleet.alerts DROP COLUMN state_at');
  }
}
