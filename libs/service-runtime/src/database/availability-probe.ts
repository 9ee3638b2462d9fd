import { EventEmitter } from 'node:events';
import pg from 'pg';

const PROBE_EVERY_MS = 1_000;
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
  get available(): boolean {
    return this.heard && this.misses < MISSES_UNTIL_AWAY;
  }

  async start(): Promise<void> {
    await this.ask();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.client?.end().catch(() => undefined);
  }

  private async ask(): Promise<void> {
    const askedAt = Date.now();
    try {
      const client = (this.client ??= await this.connect());
      await client.query({ text: 'SELECT 1', query_timeout: PROBE_EVERY_MS } as pg.QueryConfig);
      this.heard = true;
      this.misses = 0;
    } catch {
      this.abandon();
      this.misses += 1;
      if (this.misses === MISSES_UNTIL_AWAY) this.emit('lost');
    }
    if (this.stopped) return;
    this.timer = setTimeout(() => void this.ask(), Math.max(0, askedAt + PROBE_EVERY_MS - Date.now()));
    this.timer.unref();
  }

  private async connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.url,
      connectionTimeoutMillis: PROBE_EVERY_MS,
      application_name: 'availability-probe',
    });
    client.on('error', () => undefined); // the next question finds out
    await client.connect();
    return client;
  }

  /** A client that missed may be half-open: it is cut, not ended politely. */
  private abandon(): void {
    const client = this.client;
    this.client = undefined;
    if (client)
      (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  }
}
