import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * API keys and audit log. Only an operator changes scopes and `active` of a key, the service only whether it reads; the
 * service only appends events.
 */
export class CreateApiKeysAndAudit1795861202000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of statements) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP VIEW account.audit_log');
    await queryRunner.query('DROP TABLE account.audit_events, account.api_keys');
  }
}

const statements = [
  `CREATE TABLE account.api_keys (
     id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     workspace_id integer NOT NULL REFERENCES account.workspaces,
     name text NOT NULL,
     description text NOT NULL DEFAULT '',
     secret_hash bytea NOT NULL UNIQUE,
     -- Last four characters of the secret.
     secret_ending text NOT NULL,
     -- Without fleet:read.
     scopes text[] NOT NULL DEFAULT '{telemetry:write}',
     -- Scope fleet:read: for the workspace of the key, or for all of the customer; null without the scope.
     read_access text CHECK (read_access IN ('workspace', 'customer')),
     -- \`sid\` of its access tokens. A new one revokes them.
     token_session_id uuid NOT NULL,
     active boolean NOT NULL DEFAULT true,
     created_by integer NOT NULL REFERENCES account.users,
     expires_at timestamptz(3),
     last_used_at timestamptz(3),
     created_at timestamptz(3) NOT NULL,
     updated_at timestamptz(3) NOT NULL
   )`,
  `CREATE INDEX api_keys_workspace ON account.api_keys (workspace_id)`,
  `CREATE INDEX api_keys_creator ON account.api_keys (created_by)`,
  `GRANT SELECT, DELETE,
         INSERT (workspace_id, name, description, secret_hash, secret_ending, token_session_id, created_by, expires_at, created_at,
                 updated_at),
         UPDATE (secret_hash, secret_ending, read_access, token_session_id, last_used_at, updated_at)
      ON account.api_keys TO account_service`,
  `CREATE TABLE account.audit_events (
     id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     occurred_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
     action text NOT NULL,
     -- 'user:7', 'key:7', 'operator:name', or 'anonymous'.
     actor text NOT NULL,
     customer_id integer,
     user_id integer,
     network text,
     request_id text,
     detail jsonb NOT NULL DEFAULT '{}'
   )`,
  `CREATE INDEX audit_events_occurred ON account.audit_events (occurred_at)`,
  // Everything that an auditor may read. The view has the rights of its owner.
  `CREATE VIEW account.audit_log AS
     SELECT audit_events.id, audit_events.occurred_at, audit_events.action, audit_events.actor,
            customers.slug AS customer, users.email AS "user", audit_events.network, audit_events.request_id,
            audit_events.detail
       FROM account.audit_events
       LEFT JOIN account.customers ON customers.id = audit_events.customer_id
       LEFT JOIN account.users ON users.id = audit_events.user_id`,
  // The service can set neither id nor time of an event.
  `GRANT INSERT (action, actor, customer_id, user_id, network, request_id, detail)
      ON account.audit_events TO account_service`,
];
