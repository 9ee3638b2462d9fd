import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The schema is the owner's. The runtime role may look names up in it and make nothing there; each later migration
 * grants what the service does with the tables it makes, so a table is closed until somebody opens it.
 */
export class LetTheRuntimeRoleIntoTheSchema1795219200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('REVOKE ALL ON SCHEMA website FROM PUBLIC');
    await runner.query('GRANT USAGE ON SCHEMA website TO website_api');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('REVOKE USAGE ON SCHEMA website FROM website_api');
  }
}
