import type { OnModuleDestroy } from '@nestjs/common';
import type { Database, Runtime } from '@gpu-observatory/service-runtime';

const ASK_EVERY_MS = 2_000;
/** So many customers have a series of their own, whatever their number: those that imported last. */
const MOST_CUSTOMERS = 500;

interface Age {
  standby: boolean;
  /** Whether a standby has replayed all that its primary sends it. */
  caughtUp: boolean;
  /** The age of the last transaction that a standby has replayed; null when it cannot tell. */
  lastReplayedSeconds: number | null;
  customers: number;
  /** Seconds since the newest import, by customer. */
  ingestLags: [customerId: number, seconds: number][];
}

/**
 * How old the data are that this process serves: asked now and then, told in metrics and, where the database is a standby,
 * in readiness. One that lags too far gets no traffic rather than serve what is long over.
 */
export class DataAge implements OnModuleDestroy {
  private age: Age | undefined;
  private caughtUpAtMs: number | undefined;
  private replicationLagSeconds: number | null = null;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  private constructor(
    private readonly database: Database,
    private readonly lagLimitSeconds: number,
  ) {}

  /** Begins to ask; resolves after the first time, whatever came of it. */
  static async watch(lagLimitSeconds: number, { database, readiness, metrics }: Runtime): Promise<DataAge> {
    const watched = new DataAge(database, lagLimitSeconds);
    readiness.register(
      'replication',
      () => watched.staleness,
      () => watched.replication,
    );
    metrics.gauge('database_standby', '1 where the database is a standby.', () =>
      watched.age?.standby ? 1 : 0,
    );
    metrics.gauge(
      'database_replication_lag_seconds',
      'How far the standby is behind its primary; 0 on a primary, NaN when it cannot tell.',
      () => (watched.age?.standby ? (watched.replicationLagSeconds ?? NaN) : 0),
    );
    metrics.gauge(
      'ingest_customers',
      'Customers that have ever imported.',
      () => watched.age?.customers ?? 0,
    );
    metrics.labeledGauge(
      'ingest_lag_seconds',
      `Time since the newest import, of the ${MOST_CUSTOMERS} customers that imported last.`,
      'customer_id',
      () => watched.age?.ingestLags ?? [],
    );
    await watched.ask();
    return watched;
  }

  onModuleDestroy(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  /** Null while the data are fresh enough, else what is wrong. */
  private get staleness(): string | null {
    if (this.age === undefined) return 'the database has not told yet whether it is a standby';
    const { replicationLagSeconds: lag } = this;
    if (!this.age.standby) return null;
    if (lag === null) return 'the standby cannot tell how far it is behind its primary';
    return lag <= this.lagLimitSeconds ? null : `${this.replication}; ${this.lagLimitSeconds} s are allowed`;
  }

  private get replication(): string {
    if (!this.age?.standby) return 'a primary';
    return `a standby, ${Math.round((this.replicationLagSeconds ?? 0) * 10) / 10} s behind`;
  }

  /**
   * A standby that has replayed all it received is up to date, however long ago the last transaction was, as long as it
   * hears its primary at all. One that had a moment ago is no further behind than that moment: on an idle primary what is
   * on its way is no transaction, and the last one may be hours old.
   */
  private lagOf({ standby, caughtUp, lastReplayedSeconds }: Age): number | null {
    const nowMs = performance.now();
    if (!standby || caughtUp) {
      this.caughtUpAtMs = nowMs;
      return 0;
    }
    if (this.caughtUpAtMs === undefined) return lastReplayedSeconds;
    const sinceSeconds = (nowMs - this.caughtUpAtMs) / 1_000;
    return Math.min(lastReplayedSeconds ?? Infinity, sinceSeconds);
  }

  private async ask(): Promise<void> {
    try {
      const [age] = await this.database.query<Age>({
        name: 'data-age',
        text: AGE_SQL,
        values: [MOST_CUSTOMERS],
      });
      this.age = age;
      this.replicationLagSeconds = age ? this.lagOf(age) : null;
    } catch {
      // What was known last stands; that the database is away is another check's to say.
    }
    if (this.stopped) return;
    this.timer = setTimeout(() => void this.ask(), ASK_EVERY_MS);
    this.timer.unref();
  }
}

const AGE_SQL = `SELECT pg_is_in_recovery() AS standby,
    coalesce(pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn(), false) AND EXISTS (SELECT FROM pg_stat_wal_receiver) AS "caughtUp",
    extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp())::float8 AS "lastReplayedSeconds",
    (SELECT count(*) FROM fleet.data_versions)::integer AS customers,
    (SELECT coalesce(json_agg(json_build_array(latest.customer_id, latest.seconds)), '[]') FROM (
       SELECT p.customer_id, extract(epoch FROM clock_timestamp() - p.imported_at)::float8 AS seconds
       FROM fleet.data_versions p ORDER BY p.imported_at DESC LIMIT $1
     ) AS latest) AS "ingestLags"`;
