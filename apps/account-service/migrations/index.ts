import { TenantsAndUsers1795219200000 } from './2026-11-21-tenants-and-users.ts';
import { SignInAndSessions1795219201000 } from './2026-11-21-sign-in-and-sessions.ts';
import { ApiKeysAndAudit1795219202000 } from './2026-11-21-api-keys-and-audit.ts';

/** Migrations of the account schema, oldest first. */
export const migrations = [
  TenantsAndUsers1795219200000,
  SignInAndSessions1795219201000,
  ApiKeysAndAudit1795219202000,
];
