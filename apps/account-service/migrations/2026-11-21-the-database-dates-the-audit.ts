import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The running service appends events as of now: neither their time nor their number is its to choose. */
export class TheDatabaseDatesTheAudit1795233600000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('REVOKE INSERT ON account.audit_events FROM account_service');
    await queryRunner.query(
      `GRANT INSERT (action, actor, customer_id, user_id, network, request_id, detail)
          ON account.audit_events TO account_service`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `REVOKE INSERT (action, actor, customer_id, user_id, network, request_id, detail)
          ON account.audit_events FROM account_service`,
    );
    await queryRunner.query('GRANT INSERT ON account.audit_events TO account_service');
  }
}
