import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * API keys, of which the secret's hash and last four characters are kept. The runtime role makes, rotates and deletes
 * them; what a key may do (its scopes, and whether it is active) is an operator's to say.
 */
export class ApiKeysOfWorkspaces1795222800000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of statements) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE account.api_keys');
  }
}

const statements = [
  `CREATE TABLE account.api_keys (
     id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     workspace_id integer NOT NULL REFERENCES account.workspaces,
     name text NOT NULL,
     description text NOT NULL DEFAULT '',
     secret_hash bytea NOT NULL UNIQUE,
     secret_ending text NOT NULL,
     scopes text[] NOT NULL DEFAULT '{telemetry:write}',
     active boolean NOT NULL DEFAULT true,
     expires_at timestamptz(3),
     last_used_at timestamptz(3),
     created_at timestamptz(3) NOT NULL,
     updated_at timestamptz(3) NOT NULL
   )`,
  `CREATE INDEX api_keys_workspace ON account.api_keys (workspace_id)`,
  `GRANT SELECT, DELETE,
         INSERT (workspace_id, name, description, secret_hash, secret_ending, expires_at, created_at, updated_at),
         UPDATE (secret_hash, secret_ending, last_used_at, updated_at)
      ON account.api_keys TO account_service`,
];
