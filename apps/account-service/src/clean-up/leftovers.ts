/** Rows that are of no more use: how long after their time, and the statement that removes one batch of them. */
export interface Leftovers {
  /** What a command and a log call them. */
  name: string;
  keepDays: number;
  /** `$1`: the instant before which they go; `$2`: how many at most. An index finds those of the large tables. */
  text: string;
}

function leftovers(name: string, keepDays: number, key: string, due: string): Leftovers {
  const table = `account.${name}`;
  const [time] = due.split(' ');
  return {
    name,
    keepDays,
    text: `WITH gone AS (
             DELETE FROM ${table} WHERE ${key} IN (
               SELECT ${key} FROM ${table} WHERE ${due} ORDER BY ${time} LIMIT $2)
             RETURNING 1)
           SELECT count(*)::integer AS count FROM gone`,
  };
}

/** What the running service removes by itself. Codes and sessions stay some days for whoever looks into an incident. */
export const EXPIRED: readonly Leftovers[] = [
  leftovers('sign_in_attempts', 0, 'state_hash', 'expires_at < $1'),
  leftovers('authorization_codes', 1, 'code_hash', 'expires_at < $1'),
  leftovers('sessions', 7, 'id', 'expires_at < $1'),
  leftovers('password_tries', 2, 'email_hash', 'last_tried_at < $1'),
];

/** What only the owner may remove: with it the service could make others forget what was revoked, or what it did. */
export function ownersLeftovers(auditRetentionDays: number): readonly Leftovers[] {
  return [
    // No token lives longer than a day; a withdrawn key's is never forgotten.
    leftovers('revocations', 2, 'id', `recorded_at < $1 AND kind <> 'signing_key'`),
    leftovers('rate_limits', 0, 'key', 'expire < extract(epoch FROM $1::timestamptz) * 1000'),
    // Nothing that they signed can live, so their private parts need not either.
    leftovers('signing_keys', 30, 'kid', 'retire_at < $1'),
    leftovers('audit_events', auditRetentionDays, 'id', 'occurred_at < $1'),
  ];
}
