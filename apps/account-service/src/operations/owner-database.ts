import { userInfo } from 'node:os';
import {
  createLogger,
  Database,
  LOG_LEVELS,
  operationsSettings,
  readSettings,
  setting,
} from '@gpu-observatory/service-runtime';
import { z } from 'zod';
import type { Actor } from '../audit/audit.ts';

/** Commands print their own output, so they log warnings and errors only. */
const commandLogLevel = setting.oneOf(LOG_LEVELS, 'warn');

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
  database: Database;
  actor: Actor;
}

/**
 * Runs an operation as the schema owner. The service role cannot change tenants, so a vulnerability of the service
 * cannot either.
 */
export async function withOwnerDatabase<Result>(
  work: (operation: Operation) => Promise<Result>,
): Promise<Result> {
  const {
    OWNER_DATABASE_URL: url,
    OPERATOR: operator,
    LOG_LEVEL: level,
  } = readSettings({ ...operatorSettings, LOG_LEVEL: commandLogLevel }, process.env);
  const database = new Database({
    url,
    poolSize: 1,
    namedStatements: false,
    applicationName: 'account-operations',
    logger: createLogger('account-operations', level),
  });
  try {
    return await work({ database, actor: `operator:${operator ?? userInfo().username}` });
  } finally {
    await database.stop();
  }
}
