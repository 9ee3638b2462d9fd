import { DependencyUnavailable } from '@gpu-observatory/error-envelopes';

/**
 * SQLSTATE classes that say "the server is not there for us" rather than "your statement is wrong": connection
 * exceptions, insufficient resources, operator intervention (PostgreSQL manual, appendix A).
 */
const AWAY_CLASSES = ['08', '53', '57'];
const AWAY_CODES = [
  '25006', // read_only_sql_transaction: a primary has become a standby
  '28P01', // invalid_password: the database refuses us
  '3D000', // invalid_catalog_name: the database is not there (yet)
];
const SYSTEM_CODES = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EPIPE',
  'EHOSTUNREACH',
];
/** What `pg` says, without a code, when a connection breaks or takes too long. */
const AWAY_MESSAGES = /terminated|timeout|timed out|Connection ended|not queryable|Client has encountered/i;

/** The same failure, as a `DependencyUnavailable` where the database is what failed. */
export function toDatabaseFailure(failure: unknown): unknown {
  if (!(failure instanceof Error) || failure instanceof DependencyUnavailable) return failure;
  const code = 'code' in failure && typeof failure.code === 'string' ? failure.code : undefined;
  const away =
    code === undefined
      ? AWAY_MESSAGES.test(failure.message)
      : SYSTEM_CODES.includes(code) || AWAY_CODES.includes(code) || AWAY_CLASSES.includes(code.slice(0, 2));
  return away ? new DependencyUnavailable('the database', failure) : failure;
}
