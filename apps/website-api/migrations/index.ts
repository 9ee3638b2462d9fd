import { LetTheRuntimeRoleIntoTheSchema1795219200000 } from './2026-11-21-let-the-runtime-role-into-the-schema.ts';

/** Every migration of the schema `website`, oldest first. */
export const migrations = [LetTheRuntimeRoleIntoTheSchema1795219200000];
