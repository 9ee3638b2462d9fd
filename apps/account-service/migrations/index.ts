import { CreateTenantsAndUsers1795861200000 } from './2026-11-28-create-tenants-and-users.ts';
import { CreateSignInAndSessions1795861201000 } from './2026-11-28-create-sign-in-and-sessions.ts';
import { CreateApiKeysAndAudit1795861202000 } from './2026-11-28-create-api-keys-and-audit.ts';

/** Migrations of the account schema, oldest first. */
export const migrations = [
  CreateTenantsAndUsers1795861200000,
  CreateSignInAndSessions1795861201000,
  CreateApiKeysAndAudit1795861202000,
];
