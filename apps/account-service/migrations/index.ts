import { ApiKeysOfWorkspaces1795222800000 } from './2026-11-21-api-keys-of-workspaces.ts';
import { CustomersUsersAndSessions1795219200000 } from './2026-11-21-customers-users-and-sessions.ts';
import { ExpiredCodesAndSessionsGo1795226400000 } from './2026-11-21-expired-codes-and-sessions-go.ts';
import { PasswordsOfUsers1795230000000 } from './2026-11-21-passwords-of-users.ts';
import { TheDatabaseDatesTheAudit1795233600000 } from './2026-11-21-the-database-dates-the-audit.ts';

/** Every migration of the account schema, oldest first. */
export const migrations = [
  CustomersUsersAndSessions1795219200000,
  ApiKeysOfWorkspaces1795222800000,
  ExpiredCodesAndSessionsGo1795226400000,
  PasswordsOfUsers1795230000000,
  TheDatabaseDatesTheAudit1795233600000,
];
