import { rateLimitTableSql } from '@gpu-observatory/service-runtime/process';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Contact requests and their mail outbox share one row: a stored request is a queued mail. The runtime role inserts
 * requests and updates their delivery columns. Only an operator can change or delete the text.
 */
export class CreateContactRequests1795226400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE website.contact_requests (
        id uuid PRIMARY KEY,
        received_at timestamptz(3) NOT NULL DEFAULT now(),
        first_name text COLLATE "C" NOT NULL,
        email text COLLATE "C" NOT NULL,
        company text COLLATE "C" NOT NULL,
        message text COLLATE "C" NOT NULL,
        sender text COLLATE "C" NOT NULL,
        idempotency_key_hash bytea UNIQUE,
        body_hash bytea NOT NULL,
        attempts integer NOT NULL DEFAULT 0,
        next_attempt_at timestamptz(3) NOT NULL DEFAULT now(),
        delivered_at timestamptz(3),
        last_error text COLLATE "C"
      )`);
    await runner.query(`
      CREATE INDEX contact_requests_undelivered ON website.contact_requests (next_attempt_at)
        WHERE delivered_at IS NULL`);
    await runner.query(rateLimitTableSql('website'));
    await runner.query('GRANT SELECT, INSERT ON website.contact_requests TO website_api');
    await runner.query(`
      GRANT UPDATE (idempotency_key_hash, attempts, next_attempt_at, delivered_at, last_error)
        ON website.contact_requests TO website_api`);
    await runner.query('GRANT SELECT, INSERT, UPDATE, DELETE ON website.rate_limits TO website_api');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE website.rate_limits, website.contact_requests');
  }
}
