import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Customers, their domains and workspaces, and their users. Only an operator (the schema owner) changes tenants. */
export class CreateTenantsAndUsers1795861200000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of [...tenants, ...users, userWorkspaces, ...grants])
      await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP VIEW account.user_workspaces');
    await queryRunner.query(
      `DROP TABLE account.user_passwords, account.workspace_members, account.user_identities, account.users,
                  account.workspaces, account.customer_domains, account.customers`,
    );
  }
}

const tenants = [
  `CREATE TABLE account.customers (
     id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     slug text COLLATE "C" NOT NULL UNIQUE,
     name text NOT NULL,
     active boolean NOT NULL DEFAULT true,
     -- Role of new users in the default workspace; none adds them to no workspace.
     default_role text NOT NULL DEFAULT 'viewer' CHECK (default_role IN ('member', 'viewer', 'none')),
     -- Maximum lifetime of new API keys; null for no maximum.
     max_key_days integer CHECK (max_key_days >= 1),
     -- Sign-in methods its users may use; null allows every method of the deployment.
     sign_in_methods text[],
     -- Whether an account at Google must belong to the Workspace of the email domain.
     google_workspace_required boolean NOT NULL DEFAULT false,
     created_at timestamptz(3) NOT NULL DEFAULT now()
   )`,
  // In lower case and the IDNA ASCII form. A domain belongs to one customer.
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
     -- New users join this workspace.
     is_default boolean NOT NULL DEFAULT false,
     created_at timestamptz(3) NOT NULL DEFAULT now(),
     UNIQUE (customer_id, slug)
   )`,
  `CREATE UNIQUE INDEX workspaces_one_default ON account.workspaces (customer_id) WHERE is_default`,
];

const users = [
  `CREATE TABLE account.users (
     id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     customer_id integer NOT NULL REFERENCES account.customers,
     email text COLLATE "C" NOT NULL UNIQUE,
     name text NOT NULL DEFAULT '',
     avatar text NOT NULL DEFAULT '',
     -- Has the owner role in every workspace of the customer.
     administrator boolean NOT NULL DEFAULT false,
     -- Declared by the tenants file or a command; only a declared role is removed when the file omits it.
     administrator_declared boolean NOT NULL DEFAULT false,
     disabled_at timestamptz(3),
     last_signed_in_at timestamptz(3),
     created_at timestamptz(3) NOT NULL DEFAULT now()
   )`,
  `CREATE INDEX users_customer ON account.users (customer_id)`,
  // (provider, subject) identifies a user: an email address may be reassigned, a subject never is.
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
     -- Declared by the tenants file or a command; only a declared membership is removed when the file omits it.
     declared boolean NOT NULL DEFAULT false,
     created_at timestamptz(3) NOT NULL DEFAULT now(),
     PRIMARY KEY (workspace_id, user_id)
   )`,
  `CREATE INDEX workspace_members_user ON account.workspace_members (user_id)`,
  // Argon2id hashes, NULL for a removed password. The service reads them; only an operator sets them.
  `CREATE TABLE account.user_passwords (
     user_id integer PRIMARY KEY REFERENCES account.users,
     password_hash text,
     set_at timestamptz(3) NOT NULL DEFAULT clock_timestamp()
   )`,
];

// Workspaces of each user with the role in each. Administrators are owners of all workspaces of their customer; disabled users
// and users of inactive customers have none.
const userWorkspaces = `CREATE VIEW account.user_workspaces AS
     SELECT users.id AS user_id, workspaces.id AS workspace_id, workspaces.name AS workspace_name, workspaces.created_at,
            customers.id AS customer_id, customers.name AS customer_name, customers.max_key_days,
            CASE WHEN users.administrator THEN 'owner' ELSE workspace_members.role END AS role, users.administrator
       FROM account.users
       JOIN account.customers ON customers.id = users.customer_id AND customers.active
       JOIN account.workspaces ON workspaces.customer_id = users.customer_id
       LEFT JOIN account.workspace_members ON workspace_members.workspace_id = workspaces.id
                                          AND workspace_members.user_id = users.id
      WHERE users.disabled_at IS NULL AND (users.administrator OR workspace_members.role IS NOT NULL)`;

const grants = [
  `GRANT SELECT ON account.customers, account.customer_domains, account.workspaces, account.user_workspaces,
                   account.user_passwords TO account_service`,
  `GRANT SELECT, INSERT ON account.workspace_members, account.user_identities TO account_service`,
  `GRANT SELECT, INSERT, UPDATE (email, name, avatar, last_signed_in_at)
      ON account.users TO account_service`,
];
