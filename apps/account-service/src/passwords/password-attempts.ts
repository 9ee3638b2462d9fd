import { createHash } from 'node:crypto';
import { DAY_MS, SECOND_MS } from '@gpu-observatory/domain-types';
import type { Database } from '@gpu-observatory/service-runtime';
import { addSeconds, type Clock } from '../clock/clock.ts';

/** Failed attempts before the first lock. Each further attempt doubles the lock time. */
const FREE_ATTEMPTS = 5;
const FIRST_LOCK_SECONDS = 30;
const MAX_LOCK_SECONDS = 900;
/** Idle time after which the count restarts. */
const FORGET_AFTER_SECONDS = DAY_MS / SECOND_MS;

/**
 * Lockout with exponential backoff per email address, whether or not the address belongs to a user. An attempt is
 * counted before the password is checked, so that concurrent attempts count too. A right password resets the count.
 */
export class PasswordAttempts {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Counts an attempt, unless the address is locked.
   *
   * @returns seconds until the lock ends, or null when the attempt may proceed
   */
  async start(email: string): Promise<number | null> {
    const now = this.clock.now();
    const [counted] = await this.database.query({
      name: 'start-password-attempt',
      text: `INSERT INTO account.password_attempts AS stored (email_hash, attempts, last_attempt_at) VALUES ($1, 1, $2)
             ON CONFLICT (email_hash) DO UPDATE
                SET attempts = CASE WHEN stored.last_attempt_at < $3 THEN 1 ELSE stored.attempts + 1 END,
                    last_attempt_at = $2,
                    locked_until = CASE WHEN stored.last_attempt_at >= $3 AND stored.attempts + 1 >= $4
                      THEN $2::timestamptz + make_interval(secs => least($6, $5 * power(2, least(stored.attempts + 1 - $4, 20))))
                    END
              WHERE stored.locked_until IS NULL OR stored.locked_until <= $2
             RETURNING attempts`,
      values: [
        hashEmail(email),
        now,
        addSeconds(now, -FORGET_AFTER_SECONDS),
        FREE_ATTEMPTS,
        FIRST_LOCK_SECONDS,
        MAX_LOCK_SECONDS,
      ],
    });
    if (counted) return null;
    const [locked] = await this.database.query<{ locked_until: Date | null }>({
      name: 'read-password-lock',
      text: 'SELECT locked_until FROM account.password_attempts WHERE email_hash = $1',
      values: [hashEmail(email)],
    });
    const until = locked?.locked_until ?? now;
    return Math.max(1, Math.ceil((until.getTime() - now.getTime()) / SECOND_MS));
  }

  async succeeded(email: string): Promise<void> {
    await this.database.query({
      name: 'clear-password-attempts',
      text: 'DELETE FROM account.password_attempts WHERE email_hash = $1',
      values: [hashEmail(email)],
    });
  }
}

function hashEmail(email: string): Buffer {
  return createHash('sha256').update(email).digest();
}
