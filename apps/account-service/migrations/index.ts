import { CreateTenantsAndUsers1795219200000 } from './2026-11-22-create-tenants-and-users.ts';
import { CreateSignInAndSessions1795219201000 } from './2026-11-22-create-sign-in-and-sessions.ts';
import { CreateApiKeysAndAudit1795219202000 } from './2026-11-22-create-api-keys-and-audit.ts';

/** Migrations of the account schema, oldest first. */
export const migrations = [
  CreateTenantsAndUsers1795219200000,
  CreateSignInAndSessions1795219201000,
  CreateApiKeysAndAudit1795219202000,
];
