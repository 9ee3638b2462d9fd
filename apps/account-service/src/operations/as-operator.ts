import { userInfo } from 'node:os';
import {
  operationsSettings,
  type OwnerDatabase,
  readSettings,
  withOwnerDatabase,
} from '@gpu-observatory/service-runtime/process';
import { z } from 'zod';
import type { Actor } from '../audit/audit.ts';

const LOCK_TIMEOUT_SECONDS = 5;

/** Settings of the operations commands in addition to those of the service. */
export const operatorSettings = {
  ...operationsSettings,
  OPERATOR: z
    .string()
    .regex(/^[\w.@-]{1,100}$/)
    .optional()
    .describe('operator name for the audit log (default: the system user)'),
};

export interface Operation {
  database: OwnerDatabase;
  actor: Actor;
}

/**
 * Runs an operation as the schema owner. The service role cannot change tenants, so a vulnerability of the service
 * cannot either.
 */
export async function asOperator<Result>(work: (operation: Operation) => Promise<Result>): Promise<Result> {
  const { OPERATOR: operator } = readSettings(operatorSettings, process.env);
  return withOwnerDatabase({ schema: 'account', lockTimeoutSeconds: LOCK_TIMEOUT_SECONDS }, (database) =>
    work({ database, actor: `operator:${operator ?? userInfo().username}` }),
  );
}
