/** Deletion of rows that are no longer needed, in batches. */
export interface CleanUpRule {
  /** Name of the table, in the output and the log. */
  name: string;
  /** Days to keep a row after the time in its condition. */
  retentionDays: number;
  /** `$1`: retention in days; `$2`: batch size. Large tables have an index for the condition. */
  text: string;
}

/** A subquery, so that the condition can use an index in spite of the volatile function. */
const BEFORE = '(SELECT clock_timestamp() - make_interval(days => $1))';

function rule(table: string, retentionDays: number, key: string, condition: string): CleanUpRule {
  const [timeColumn] = condition.split(' ');
  return {
    name: table,
    retentionDays,
    text: `WITH deleted AS (
             DELETE FROM account.${table} WHERE ${key} IN (
               SELECT ${key} FROM account.${table} WHERE ${condition} ORDER BY ${timeColumn} LIMIT $2)
             RETURNING 1)
           SELECT count(*)::integer AS count FROM deleted`,
  };
}

/** Rows that the running service deletes. Codes and sessions are kept for some days for incident analysis. */
export const SERVICE_RULES: readonly CleanUpRule[] = [
  rule('sign_in_attempts', 0, 'state_hash', `expires_at < ${BEFORE}`),
  rule('authorization_codes', 1, 'code_hash', `expires_at < ${BEFORE}`),
  rule('sessions', 7, 'id', `expires_at < ${BEFORE}`),
  // A network stays known for a month after the last sign-in.
  rule('password_attempts', 30, 'id', `last_attempt_at < ${BEFORE}`),
];

/** Rows that only the schema owner may delete: a compromised service must not undo a revocation or erase its traces. */
export function ownerRules(auditRetentionDays: number): readonly CleanUpRule[] {
  return [
    // No token is valid for a day. Revocations of withdrawn signing keys are kept forever.
    rule('revocations', 1, 'id', `recorded_at < ${BEFORE} AND kind <> 'signing_key'`),
    // Every token of a retired key has expired, so its private part is not needed.
    rule('signing_keys', 30, 'kid', `retire_at < ${BEFORE}`),
    rule('audit_events', auditRetentionDays, 'id', `occurred_at < ${BEFORE}`),
  ];
}
