import { rateLimitTableSql } from '@gpu-observatory/service-runtime';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What people ask, and the outbox that it is mailed from, in one row: stored is queued. The service may add requests and
 * note how their delivery goes; what was written it cannot change, and only an operator can erase it.
 */
export class KeepContactRequests1795226400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE website.contact_requests (
        id uuid PRIMARY KEY,
        received_at timestamptz(3) NOT NULL DEFAULT now(),
        first_name text COLLATE "C" NOT NULL,
        email text COLLATE "C" NOT NULL,
        company text COLLATE "C" NOT NULL,
        message text COLLATE "C" NOT NULL,
        came_by text COLLATE "C" NOT NULL,
        idempotency_hash bytea UNIQUE,
        body_hash bytea NOT NULL,
        attempts integer NOT NULL DEFAULT 0,
        next_attempt_at timestamptz(3) NOT NULL DEFAULT now(),
        delivered_at timestamptz(3),
        last_failure text COLLATE "C"
      )`);
    await runner.query(`
      CREATE INDEX contact_requests_to_deliver ON website.contact_requests (next_attempt_at)
        WHERE delivered_at IS NULL`);
    await runner.query(rateLimitTableSql('website'));
    await runner.query('GRANT SELECT, INSERT ON website.contact_requests TO website_api');
    await runner.query(`
      GRANT UPDATE (idempotency_hash, attempts, next_attempt_at, delivered_at, last_failure)
        ON website.contact_requests TO website_api`);
    await runner.query('GRANT SELECT, INSERT, UPDATE, DELETE ON website.rate_limits TO website_api');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE website.rate_limits, website.contact_requests');
  }
}
