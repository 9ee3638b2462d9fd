import { rateLimitTableSql } from '@gpu-observatory/service-runtime';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Who may sign in, who did, and what they hold. Secrets are here as hashes (codes, tokens, state) or sealed (signing
 * keys, code verifiers), never in the clear. The runtime role may not change tenants, and may only append to the audit.
 */
export class CustomersUsersAndSessions1795219200000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of [...tenants, ...people, ...signIn, ...keysAndRevocations, ...grants]) {
      await queryRunner.query(statement);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const tables = [
      'audit_events',
      'rate_limits',
      'revocations',
      'signing_keys',
      'sessions',
      'authorization_codes',
      'sign_in_attempts',
      'user_identities',
      'workspace_members',
      'users',
      'workspaces',
      'customer_domains',
      'customers',
    ];
    for (const table of tables) await queryRunner.query(`DROP TABLE account.${table}`);
  }
}

const tenants = [
  `CREATE TABLE account.customers (
     id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     slug text COLLATE "C" NOT NULL UNIQUE,
     name text NOT NULL,
     active boolean NOT NULL DEFAULT true,
     default_role text NOT NULL DEFAULT 'viewer' CHECK (default_role IN ('member', 'viewer')),
     -- The sign-in methods its people may use; null means every one the deployment has.
     providers text[],
     created_at timestamptz(3) NOT NULL DEFAULT now()
   )`,
  // In lower case and IDNA's ASCII form; a domain belongs to one customer.
  `CREATE TABLE account.customer_domains (
     domain text COLLATE "C" PRIMARY KEY,
     customer_id integer NOT NULL REFERENCES account.customers
   )`,
  `CREATE INDEX customer_domains_customer ON account.customer_domains (customer_id)`,
  `CREATE TABLE account.workspaces (
     id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     customer_id integer NOT NULL REFERENCES account.customers,
     slug text COLLATE "C" NOT NULL,
     name text NOT NULL,
     is_default boolean NOT NULL DEFAULT false,
     created_at timestamptz(3) NOT NULL DEFAULT now(),
     UNIQUE (customer_id, slug)
   )`,
  // People who sign in for the first time join this one.
  `CREATE UNIQUE INDEX workspaces_one_default ON account.workspaces (customer_id) WHERE is_default`,
];

const people = [
  `CREATE TABLE account.users (
     id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     customer_id integer NOT NULL REFERENCES account.customers,
     email text COLLATE "C" NOT NULL UNIQUE,
     name text NOT NULL DEFAULT '',
     avatar text NOT NULL DEFAULT '',
     -- Sees everything of the customer, as an owner of each workspace.
     administrator boolean NOT NULL DEFAULT false,
     -- Declared by the tenants file, which alone may withdraw it again.
     administrator_declared boolean NOT NULL DEFAULT false,
     disabled_at timestamptz(3),
     first_signed_in_at timestamptz(3),
     last_signed_in_at timestamptz(3),
     created_at timestamptz(3) NOT NULL DEFAULT now()
   )`,
  `CREATE INDEX users_customer ON account.users (customer_id)`,
  // A person is known by (provider, subject): an e-mail may pass to somebody else, a subject never does.
  `CREATE TABLE account.user_identities (
     provider text COLLATE "C" NOT NULL,
     subject text COLLATE "C" NOT NULL,
     user_id integer NOT NULL REFERENCES account.users,
     linked_at timestamptz(3) NOT NULL DEFAULT now(),
     PRIMARY KEY (provider, subject),
     UNIQUE (user_id, provider)
   )`,
  `CREATE TABLE account.workspace_members (
     workspace_id integer NOT NULL REFERENCES account.workspaces,
     user_id integer NOT NULL REFERENCES account.users,
     role text NOT NULL CHECK (role IN ('owner', 'member', 'viewer')),
     -- Declared by the tenants file, which alone may take it away again.
     declared boolean NOT NULL DEFAULT false,
     created_at timestamptz(3) NOT NULL DEFAULT now(),
     PRIMARY KEY (workspace_id, user_id)
   )`,
  `CREATE INDEX workspace_members_user ON account.workspace_members (user_id)`,
];

const signIn = [
  // From "send me to the provider" to the callback: taken once, by the browser that began it.
  `CREATE TABLE account.sign_in_attempts (
     state_hash bytea PRIMARY KEY,
     browser_hash bytea NOT NULL,
     provider text NOT NULL,
     sealed_code_verifier bytea NOT NULL,
     frontend_url text NOT NULL,
     expires_at timestamptz(3) NOT NULL
   )`,
  `CREATE INDEX sign_in_attempts_expiry ON account.sign_in_attempts (expires_at)`,
  `CREATE TABLE account.authorization_codes (
     code_hash bytea PRIMARY KEY,
     user_id integer NOT NULL REFERENCES account.users,
     provider text NOT NULL,
     frontend_url text NOT NULL,
     expires_at timestamptz(3) NOT NULL,
     consumed_at timestamptz(3)
   )`,
  `CREATE INDEX authorization_codes_expiry ON account.authorization_codes (expires_at)`,
  `CREATE TABLE account.sessions (
     id uuid PRIMARY KEY,
     user_id integer NOT NULL REFERENCES account.users,
     provider text NOT NULL,
     refresh_token_hash bytea NOT NULL UNIQUE,
     signed_in_at timestamptz(3) NOT NULL,
     expires_at timestamptz(3) NOT NULL,
     last_refreshed_at timestamptz(3),
     ended_at timestamptz(3),
     end_reason text
   )`,
  `CREATE INDEX sessions_user ON account.sessions (user_id)`,
  `CREATE INDEX sessions_expiry ON account.sessions (expires_at)`,
];

const keysAndRevocations = [
  `CREATE TABLE account.signing_keys (
     kid text COLLATE "C" PRIMARY KEY,
     public_jwk jsonb NOT NULL,
     sealed_private_key bytea NOT NULL,
     -- Verifiers see it from then on.
     published_at timestamptz(3) NOT NULL,
     -- It signs from then on, until a later key does.
     sign_from timestamptz(3) NOT NULL,
     -- No token it signed can live past this; null while it has no successor.
     retire_at timestamptz(3),
     -- Stolen: nothing it signed counts.
     withdrawn_at timestamptz(3)
   )`,
  `CREATE TABLE account.revocations (
     id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     kind text NOT NULL CHECK (kind IN ('session', 'user', 'customer', 'signing_key')),
     subject_id text NOT NULL,
     not_before timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
     recorded_at timestamptz(3) NOT NULL DEFAULT clock_timestamp()
   )`,
  `CREATE INDEX revocations_recorded ON account.revocations (recorded_at)`,
  rateLimitTableSql('account'),
  `CREATE TABLE account.audit_events (
     id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     occurred_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
     action text NOT NULL,
     -- 'user:7', 'operator:name', or 'anonymous'.
     actor text NOT NULL,
     customer_id integer,
     user_id integer,
     network text,
     request_id text,
     detail jsonb NOT NULL DEFAULT '{}'
   )`,
  `CREATE INDEX audit_events_occurred ON account.audit_events (occurred_at)`,
];

const grants = [
  `GRANT SELECT ON account.customers, account.customer_domains, account.workspaces TO account_service`,
  `GRANT SELECT, INSERT ON account.workspace_members, account.user_identities, account.revocations TO account_service`,
  `GRANT SELECT, INSERT, UPDATE (email, name, avatar, first_signed_in_at, last_signed_in_at) ON account.users TO account_service`,
  `GRANT SELECT, INSERT, DELETE ON account.sign_in_attempts TO account_service`,
  `GRANT SELECT, INSERT, UPDATE (consumed_at) ON account.authorization_codes TO account_service`,
  `GRANT SELECT, INSERT, UPDATE (last_refreshed_at, ended_at, end_reason) ON account.sessions TO account_service`,
  `GRANT SELECT, INSERT, UPDATE (retire_at) ON account.signing_keys TO account_service`,
  `GRANT SELECT, INSERT, UPDATE, DELETE ON account.rate_limits TO account_service`,
  `GRANT INSERT ON account.audit_events TO account_service`,
];
