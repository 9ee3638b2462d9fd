import { types } from 'node:util';
import { DependencyUnavailable } from '@gpu-observatory/error-envelopes';
import pg from 'pg';

/**
 * SQLSTATE classes that say "the server is not there for us" rather than "your statement is wrong": connection
 * exceptions, insufficient resources, operator intervention (PostgreSQL manual, appendix A).
 */
const AWAY_CLASSES = ['08', '53', '57'];
const AWAY_CODES = [
  '25006', // read_only_sql_transaction: a primary has become a standby
  '25P03', // idle_in_transaction_session_timeout: the server closed the connection
];
/** After these a connection's prepared statements no longer fit the schema, or are gone; a new connection's do. */
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
/** What `pg` says, without a code, when a connection breaks. */
const AWAY_MESSAGES = /^Connection terminated|not queryable|^Connection ended/i;

/** What the driver said of a statement, as a `DependencyUnavailable` where the database is what failed. */
export function toDatabaseError(failure: unknown): unknown {
  if (!types.isNativeError(failure)) return failure;
  const code = 'code' in failure && typeof failure.code === 'string' ? failure.code : undefined;
  const away =
    code === undefined
      ? AWAY_MESSAGES.test(failure.message)
      : SYSTEM_CODES.includes(code) || AWAY_CODES.includes(code) || AWAY_CLASSES.includes(code.slice(0, 2));
  return away ? new DependencyUnavailable('the database', failure) : failure;
}

/** Whether a connection is fit for the next statement after this one failed: the server refused it, no more. */
export function isConnectionReusable(failure: unknown): boolean {
  return (
    failure instanceof pg.DatabaseError &&
    toDatabaseError(failure) === failure &&
    !STALE_STATEMENT_CODES.includes(failure.code ?? '')
  );
}
