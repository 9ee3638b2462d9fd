import { rateLimitTableSql } from '@gpu-observatory/service-runtime/process';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sign-ins in progress, sessions, signing keys and revocations. Secrets are stored hashed or encrypted only. */
export class CreateSignInAndSessions1795861201000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of [...signIn, ...sessions, ...grants]) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `DROP TABLE account.rate_limits, account.revocations, account.signing_keys, account.sessions,
                  account.password_attempts, account.authorization_codes, account.sign_in_attempts`,
    );
  }
}

const signIn = [
  // From the redirect to the provider until its callback. Only the browser that started it can use it, once.
  `CREATE TABLE account.sign_in_attempts (
     state_hash bytea PRIMARY KEY,
     browser_hash bytea NOT NULL,
     provider text NOT NULL,
     -- PKCE verifier of this service, for the provider.
     encrypted_code_verifier bytea NOT NULL,
     frontend_url text NOT NULL,
     -- PKCE challenge of the client, for the exchange of the code; null without PKCE.
     code_challenge text,
     expires_at timestamptz(3) NOT NULL
   )`,
  `CREATE INDEX sign_in_attempts_expiry ON account.sign_in_attempts (expires_at)`,
  `CREATE TABLE account.authorization_codes (
     code_hash bytea PRIMARY KEY,
     user_id integer NOT NULL REFERENCES account.users,
     sign_in_method text NOT NULL,
     frontend_url text NOT NULL,
     -- Browser and PKCE challenge of the sign-in.
     browser_hash bytea NOT NULL,
     code_challenge text,
     expires_at timestamptz(3) NOT NULL,
     consumed_at timestamptz(3),
     -- Set when the sessions of the user end: an exchange in progress must not start another one.
     revoked_at timestamptz(3)
   )`,
  `CREATE INDEX authorization_codes_expiry ON account.authorization_codes (expires_at)`,
  // Lockout state per email address and network, whether or not the address belongs to a user.
  `CREATE TABLE account.password_attempts (
     -- Hash of address and network.
     id bytea PRIMARY KEY,
     email_hash bytea NOT NULL,
     -- Consecutive attempts without a success.
     attempts integer NOT NULL,
     last_attempt_at timestamptz(3) NOT NULL,
     locked_until timestamptz(3),
     -- Last sign-in with the correct password.
     succeeded_at timestamptz(3)
   )`,
  `CREATE INDEX password_attempts_email ON account.password_attempts (email_hash)`,
  `CREATE INDEX password_attempts_last ON account.password_attempts (last_attempt_at)`,
];

const sessions = [
  `CREATE TABLE account.sessions (
     id uuid PRIMARY KEY,
     user_id integer NOT NULL REFERENCES account.users,
     sign_in_method text NOT NULL,
     refresh_token_hash bytea NOT NULL UNIQUE,
     signed_in_at timestamptz(3) NOT NULL,
     expires_at timestamptz(3) NOT NULL,
     last_refreshed_at timestamptz(3),
     -- Of the client at sign-in, so that users recognize their sessions.
     user_agent text NOT NULL DEFAULT '',
     network text NOT NULL DEFAULT '',
     ended_at timestamptz(3),
     end_reason text
   )`,
  `CREATE INDEX sessions_user ON account.sessions (user_id)`,
  `CREATE INDEX sessions_expiry ON account.sessions (expires_at)`,
  `CREATE TABLE account.signing_keys (
     kid text COLLATE "C" PRIMARY KEY,
     public_jwk jsonb NOT NULL,
     encrypted_private_key bytea NOT NULL,
     -- In the JWKS from then on.
     published_at timestamptz(3) NOT NULL,
     -- Signs from then on, until a later key does.
     sign_from timestamptz(3) NOT NULL,
     -- Every token it signed has expired by then; null while it has no successor.
     retire_at timestamptz(3),
     -- Set for a stolen key: none of its tokens is valid.
     withdrawn_at timestamptz(3)
   )`,
  `CREATE TABLE account.revocations (
     id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     kind text NOT NULL CHECK (kind IN ('session', 'user', 'customer', 'signing_key')),
     subject_id text NOT NULL,
     not_before timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
     recorded_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
     -- The feed returns session ids as UUIDs; one invalid row would fail every read.
     CHECK (kind <> 'session' OR subject_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$')
   )`,
  `CREATE INDEX revocations_recorded ON account.revocations (recorded_at, id)`,
  // Withdrawn signing keys stay in the feed forever.
  `CREATE INDEX revocations_signing_keys ON account.revocations (id) WHERE kind = 'signing_key'`,
  rateLimitTableSql('account'),
];

const grants = [
  `GRANT SELECT, INSERT, DELETE ON account.sign_in_attempts TO account_service`,
  `GRANT SELECT, INSERT, UPDATE (consumed_at, revoked_at), DELETE ON account.authorization_codes TO account_service`,
  `GRANT SELECT, INSERT, UPDATE, DELETE ON account.password_attempts, account.rate_limits TO account_service`,
  `GRANT SELECT, INSERT, UPDATE (last_refreshed_at, ended_at, end_reason), DELETE
      ON account.sessions TO account_service`,
  `GRANT SELECT, INSERT, UPDATE (retire_at) ON account.signing_keys TO account_service`,
  `GRANT SELECT, INSERT ON account.revocations TO account_service`,
];
