import { EventEmitter } from 'node:events';
import pg from 'pg';
import { destroyConnection } from './destroy-connection.ts';

const ASK_EVERY_MS = 1_000;
/** Less than the interval, so that the second miss is known within 3 s of the moment the database froze. */
const ANSWER_WITHIN_MS = 900;
const MISSES_UNTIL_AWAY = 2;

/**
 * Asks the database `SELECT 1` once a second on a connection of its own. Two misses in a row mean that it is away
 * (decisions, section 2, Errors): a query that is only slow is no outage, and a frozen or half-open server, which no
 * timeout of its own would tell, is found within 3 s.
 *
 * Emits `lost` when the database goes away.
 */
export class AvailabilityProbe extends EventEmitter<{ lost: [] }> {
  private client: pg.Client | undefined;
  private timer: NodeJS.Timeout | undefined;
  private misses = 0;
  private heard = false;
  private stopped = false;

  constructor(private readonly url: string) {
    super();
  }

  /** Whether the database answered one of the last two questions. */
  get isAvailable(): boolean {
    return this.heard && !this.isUnavailable;
  }

  /** Whether the last two questions went unanswered. False before the first ones: nobody knows yet. */
  get isUnavailable(): boolean {
    return this.misses >= MISSES_UNTIL_AWAY;
  }

  /** Begins to ask; resolves after the first question, whatever came of it. */
  async start(): Promise<void> {
    await this.ask();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
    this.hangUp();
  }

  private async ask(): Promise<void> {
    const askedAt = Date.now();
    const answered = await Promise.race([this.question(), patience()]);
    if (this.stopped) return;
    if (answered) {
      this.heard = true;
      this.misses = 0;
    } else {
      this.hangUp();
      this.misses += 1;
      if (this.misses === MISSES_UNTIL_AWAY) this.emit('lost');
    }
    this.timer = setTimeout(() => void this.ask(), Math.max(0, askedAt + ASK_EVERY_MS - Date.now()));
    this.timer.unref();
  }

  private async question(): Promise<boolean> {
    try {
      let client = this.client;
      if (client === undefined) {
        this.client = client = new pg.Client({
          connectionString: this.url,
          application_name: 'availability-probe',
        });
        client.on('error', () => undefined); // the next question finds out
        await client.connect();
      }
      await client.query('SELECT 1');
      return true;
    } catch {
      return false;
    }
  }

  private hangUp(): void {
    if (this.client) destroyConnection(this.client);
    this.client = undefined;
  }
}

/**
 * False once the answer is late. Its turn comes after what has arrived meanwhile: a process that was busy for a second
 * must not take its own slowness for the database's.
 */
function patience(): Promise<false> {
  return new Promise((resolve) => {
    setTimeout(() => setImmediate(() => setImmediate(() => resolve(false))), ANSWER_WITHIN_MS).unref();
  });
}
