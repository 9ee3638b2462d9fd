import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Passwords, for deployments that allow them: argon2id hashes, which the runtime role reads and only an operator sets;
 * and the tries at an e-mail address, known or not, for the lockout.
 */
export class PasswordsOfUsers1795230000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of statements) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['password_tries', 'user_passwords']) {
      await queryRunner.query(`DROP TABLE account.${table}`);
    }
  }
}

const statements = [
  `CREATE TABLE account.user_passwords (
     user_id integer PRIMARY KEY REFERENCES account.users,
     password_hash text NOT NULL,
     set_at timestamptz(3) NOT NULL DEFAULT clock_timestamp()
   )`,
  `CREATE TABLE account.password_tries (
     email_hash bytea PRIMARY KEY,
     -- In a row, without a success.
     tries integer NOT NULL,
     last_tried_at timestamptz(3) NOT NULL,
     locked_until timestamptz(3)
   )`,
  `CREATE INDEX password_tries_last ON account.password_tries (last_tried_at)`,
  `GRANT SELECT ON account.user_passwords TO account_service`,
  `GRANT SELECT, INSERT, UPDATE, DELETE ON account.password_tries TO account_service`,
];
