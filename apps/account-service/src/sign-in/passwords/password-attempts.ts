import { hash } from 'node:crypto';
import { DAY_MS, SECOND_MS } from '@gpu-observatory/domain-types';
import { Injectable } from '@nestjs/common';
import { Database, type Queryable } from '@gpu-observatory/service-runtime/process';

/** Attempts before the first lock: of one network, and of all networks without a previous sign-in of the address. */
const FREE_ATTEMPTS = { network: 5, unknownNetworks: 100 };
/** Each attempt after the free ones doubles the lock time. */
const FIRST_LOCK_SECONDS = 30;
const MAX_LOCK_SECONDS = 900;
/** Idle time after which the count restarts. */
const FORGET_AFTER_SECONDS = DAY_MS / SECOND_MS;
const IS_FORGOTTEN = `(stored.last_attempt_at < excluded.last_attempt_at - make_interval(secs => $3))`;

/**
 * Lockout with exponential backoff per email address and network, whether or not the address belongs to a user. So wrong
 * attempts from one network do not lock a user out of another one. Networks from which the address never signed in share a
 * second count, which bounds the guesses of an attacker with many networks
 * (https://pages.nist.gov/800-63-4/sp800-63b.html#throttle).
 *
 * An attempt is counted before the password is checked, so that concurrent attempts count too. A correct password resets both
 * counts.
 */
@Injectable()
export class PasswordAttempts {
  constructor(private readonly database: Database) {}

  /**
   * Counts an attempt, unless the address is locked for the network.
   *
   * @returns seconds until the lock ends, or null when the attempt may proceed
   */
  async start(email: string, network: string): Promise<number | null> {
    const own = await this.count(email, network, FREE_ATTEMPTS.network);
    if (own.lockedSeconds !== null || own.isKnown) return own.lockedSeconds;
    return (await this.count(email, null, FREE_ATTEMPTS.unknownNetworks)).lockedSeconds;
  }

  async succeeded(email: string, network: string): Promise<void> {
    await this.database.query({
      name: 'reset-password-attempts',
      text: `UPDATE account.password_attempts
                SET attempts = 0, locked_until = NULL,
                    succeeded_at = CASE WHEN id = $1 THEN clock_timestamp() ELSE succeeded_at END
              WHERE id IN ($1, $2)`,
      values: [idOf(email, network), idOf(email, null)],
    });
  }

  /** @param network null for the count of all networks without a previous sign-in */
  private async count(
    email: string,
    network: string | null,
    freeAttempts: number,
  ): Promise<{ lockedSeconds: number | null; isKnown: boolean }> {
    const id = idOf(email, network);
    const [counted] = await this.database.query<{ known: boolean }>({
      name: 'start-password-attempt',
      text: `INSERT INTO account.password_attempts AS stored (id, email_hash, attempts, last_attempt_at)
             VALUES ($1, $2, 1, clock_timestamp())
             ON CONFLICT (id) DO UPDATE
                SET attempts = CASE WHEN ${IS_FORGOTTEN} THEN 1 ELSE stored.attempts + 1 END,
                    last_attempt_at = excluded.last_attempt_at,
                    locked_until = CASE WHEN NOT ${IS_FORGOTTEN} AND stored.attempts + 1 >= $4
                      THEN excluded.last_attempt_at
                           + make_interval(secs => least($6, $5 * power(2, least(stored.attempts + 1 - $4, 20))))
                    END
              WHERE stored.locked_until IS NULL OR stored.locked_until <= excluded.last_attempt_at
             RETURNING succeeded_at IS NOT NULL AS known`,
      values: [
        id,
        hashEmail(email),
        FORGET_AFTER_SECONDS,
        freeAttempts,
        FIRST_LOCK_SECONDS,
        MAX_LOCK_SECONDS,
      ],
    });
    if (counted) return { lockedSeconds: null, isKnown: counted.known };
    const [lock] = await this.database.query<{ seconds: number }>({
      name: 'read-password-lock',
      text: `SELECT greatest(1, ceil(extract(epoch FROM locked_until - clock_timestamp())))::integer AS seconds
               FROM account.password_attempts WHERE id = $1`,
      values: [id],
    });
    return { lockedSeconds: lock?.seconds ?? 1, isKnown: false };
  }
}

/** Ends the locks of an address for all networks. */
export async function clearAttempts(queryable: Queryable, email: string): Promise<void> {
  await queryable.query({
    text: `UPDATE account.password_attempts SET attempts = 0, locked_until = NULL WHERE email_hash = $1`,
    values: [hashEmail(email)],
  });
}

const hashEmail = (email: string) => hash('sha256', email, 'buffer');

const idOf = (email: string, network: string | null) =>
  hash('sha256', JSON.stringify([email, network]), 'buffer');
