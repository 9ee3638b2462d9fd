import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The service removes what has expired by itself. The audit is not among it: only the owner may shorten that. */
export class ExpiredCodesAndSessionsGo1795226400000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'GRANT DELETE ON account.authorization_codes, account.sessions TO account_service',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'REVOKE DELETE ON account.authorization_codes, account.sessions FROM account_service',
    );
  }
}
