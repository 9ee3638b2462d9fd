import { types } from 'node:util';
import pg from 'pg';
import { DependencyUnavailable } from '../errors/domain-error.ts';

/**
 * SQLSTATE classes of an unavailable server: connection exception, insufficient resources, operator intervention
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
const UNAVAILABLE_CLASSES = ['08', '53', '57'];
const UNAVAILABLE_CODES = [
  '25006', // read_only_sql_transaction: a primary has become a standby
  '25P03', // idle_in_transaction_session_timeout: the server closed the connection
];
/** The connection's prepared statements are outdated or gone; those of a new connection are valid. */
const STALE_STATEMENT_CODES = [
  '0A000', // feature_not_supported: "cached plan must not change result type", after a migration
  '26000', // invalid_sql_statement_name
];
const SYSTEM_CODES = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
];
/** Messages of `pg`, without a code, when a connection breaks. */
const UNAVAILABLE_MESSAGES = /^Connection terminated|not queryable|^Connection ended/i;

/** A statement, or a transaction, did not complete within its time limit. */
export class StatementTimeout extends DependencyUnavailable {
  constructor() {
    super('the database');
  }
}

/** Converts a driver error to `DependencyUnavailable` if the database is unavailable; returns any other error as is. */
export function toDatabaseError(error: unknown): unknown {
  if (!types.isNativeError(error)) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const isUnavailable =
    code === undefined
      ? UNAVAILABLE_MESSAGES.test(error.message)
      : SYSTEM_CODES.includes(code) ||
        UNAVAILABLE_CODES.includes(code) ||
        UNAVAILABLE_CLASSES.includes(code.slice(0, 2));
  return isUnavailable ? new DependencyUnavailable('the database', error) : error;
}

/** Whether the server rejected a prepared statement without running it, because it is outdated or gone. */
export function isStaleStatement(error: unknown): boolean {
  return error instanceof pg.DatabaseError && STALE_STATEMENT_CODES.includes(error.code ?? '');
}

/** Whether the connection can run further statements after this error: the server only rejected the statement. */
export function isConnectionReusable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && toDatabaseError(error) === error && !isStaleStatement(error);
}
