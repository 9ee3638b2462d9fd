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

/** A command says itself what it does; its log is for what goes wrong. */
const quietly = setting.oneOf(LOG_LEVELS, 'warn');

/** What the operations commands read beside the service's own variables. */
export const operatorSettings = {
  ...operationsSettings,
  OPERATOR: z
    .string()
    .regex(/^[\w.@-]{1,100}$/)
    .optional()
    .describe('who runs a command, as the audit names them (default: the system’s user)'),
};

export interface Operation {
  database: Database;
  actor: Actor;
}

/**
 * Runs an operation as the schema's owner: the running service itself may not change tenants, so a flaw in it cannot
 * either.
 */
export async function withOwnerDatabase<Result>(
  work: (operation: Operation) => Promise<Result>,
): Promise<Result> {
  const {
    OWNER_DATABASE_URL: url,
    OPERATOR: operator,
    LOG_LEVEL: level,
  } = readSettings({ ...operatorSettings, LOG_LEVEL: quietly }, process.env);
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
