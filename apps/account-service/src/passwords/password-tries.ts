import { createHash } from 'node:crypto';
import type { Database } from '@gpu-observatory/service-runtime';
import { after, type Clock } from '../clock/clock.ts';

/** So many tries in a row are free; each further one locks the address for twice as long as the one before. */
const FREE_TRIES = 5;
const FIRST_LOCK_SECONDS = 30;
const LONGEST_LOCK_SECONDS = 900;
/** After a day of peace the count begins anew. */
const FORGET_AFTER_SECONDS = 24 * 3600;

/**
 * Lockout with back-off, by e-mail address, whether it is anybody's or not. A try is counted before the password is
 * looked at, so that a hundred at once are a hundred tries; a right password clears the count.
 */
export class PasswordTries {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** @returns null when there may be a try, which is counted; else for how many seconds the address is locked */
  async begin(email: string): Promise<number | null> {
    const now = this.clock.now();
    const [counted] = await this.database.query({
      name: 'begin-password-try',
      text: `INSERT INTO account.password_tries AS known (email_hash, tries, last_tried_at) VALUES ($1, 1, $2)
             ON CONFLICT (email_hash) DO UPDATE
                SET tries = CASE WHEN known.last_tried_at < $3 THEN 1 ELSE known.tries + 1 END,
                    last_tried_at = $2,
                    locked_until = CASE WHEN known.last_tried_at >= $3 AND known.tries + 1 >= $4
                      THEN $2::timestamptz + make_interval(secs => least($6, $5 * power(2, least(known.tries + 1 - $4, 20))))
                    END
              WHERE known.locked_until IS NULL OR known.locked_until <= $2
             RETURNING tries`,
      values: [
        hashOf(email),
        now,
        after(now, -FORGET_AFTER_SECONDS),
        FREE_TRIES,
        FIRST_LOCK_SECONDS,
        LONGEST_LOCK_SECONDS,
      ],
    });
    if (counted) return null;
    const [locked] = await this.database.query<{ locked_until: Date | null }>({
      name: 'read-password-lock',
      text: 'SELECT locked_until FROM account.password_tries WHERE email_hash = $1',
      values: [hashOf(email)],
    });
    const until = locked?.locked_until ?? now;
    return Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000));
  }

  async succeeded(email: string): Promise<void> {
    await this.database.query({
      name: 'clear-password-tries',
      text: 'DELETE FROM account.password_tries WHERE email_hash = $1',
      values: [hashOf(email)],
    });
  }
}

function hashOf(email: string): Buffer {
  return createHash('sha256').update(email).digest();
}
