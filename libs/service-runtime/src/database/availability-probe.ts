import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from './connection.ts';
import { ProbeTimeout } from './probe-timeout.ts';

const PROBE_INTERVAL_MS = 1_000;
const FAILURES_UNTIL_UNAVAILABLE = 2;

/**
 * Runs a short statement once per second on its own connection. Two failures in a row mean an outage (docs/services.md#outages).
 * A slow query is not an outage, but a frozen or half-open server, which no socket error reports, is detected within 3 s.
 *
 * Emits `lost` at the start of an outage.
 */
export class AvailabilityProbe extends EventEmitter<{ lost: [] }> {
  private client: Connection | undefined;
  private timer: NodeJS.Timeout | undefined;
  private failures = 0;
  private succeededOnce = false;
  private stopped = false;
  /** Whether the server rejected writes at the last successful probe. */
  isReadOnly = false;

  constructor(
    private readonly url: string,
    private readonly probeTimeout = new ProbeTimeout(),
  ) {
    super();
  }

  /** Whether one of the last two probes succeeded. */
  get isAvailable(): boolean {
    return this.succeededOnce && !this.isUnavailable;
  }

  /** Whether the last two probes failed. False before the first two results. */
  get isUnavailable(): boolean {
    return this.failures >= FAILURES_UNTIL_UNAVAILABLE;
  }

  /** Starts probing. Resolves after the first probe, also when it failed. */
  async start(): Promise<void> {
    await this.probe();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
    this.disconnect();
  }

  private async probe(): Promise<void> {
    const startedAt = Date.now();
    this.probeTimeout.start();
    const succeeded = await Promise.race([this.query(), this.timeout()]);
    if (this.stopped) return;
    if (succeeded) {
      this.succeededOnce = true;
      this.failures = 0;
    } else {
      this.disconnect();
      this.failures += 1;
      if (this.failures === FAILURES_UNTIL_UNAVAILABLE) this.emit('lost');
    }
    const delayMs = Math.max(0, startedAt + PROBE_INTERVAL_MS - Date.now());
    this.timer = setTimeout(() => void this.probe(), delayMs);
    this.timer.unref();
  }

  private async query(): Promise<boolean> {
    try {
      let client = this.client;
      if (client === undefined) {
        this.client = client = new Connection({
          connectionString: this.url,
          application_name: 'availability-probe',
        });
        client.on('error', () => undefined); // the next probe fails
        await client.connect();
      }
      const { rows } = await client.query<{ transaction_read_only: string }>('SHOW transaction_read_only');
      this.isReadOnly = rows[0]?.transaction_read_only === 'on';
      return true;
    } catch {
      return false;
    }
  }

  private disconnect(): void {
    this.client?.destroy();
    this.client = undefined;
  }

  /**
   * Resolves to false after the timeout. Data that arrived in the meantime is processed first, so that a process that was
   * blocked for a second does not report its own delay as an outage.
   */
  private async timeout(): Promise<false> {
    await sleep(this.probeTimeout.baseMs, undefined, { ref: false });
    await sleep(this.probeTimeout.extraMs, undefined, { ref: false });
    return new Promise((resolve) => setImmediate(() => setImmediate(() => resolve(false))));
  }
}
