import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { SECOND_MS } from '@gpu-observatory/domain-types';
import { Runtime } from '@gpu-observatory/service-runtime';
import { Database } from '@gpu-observatory/service-runtime/process';
import { FleetConfig } from '../../config/fleet.config.ts';

const CHECK_INTERVAL_MS = 2 * SECOND_MS;
/** Minimum interval of the query over all customers on Citus, where it is sent to every shard. */
const DISTRIBUTED_INGEST_INTERVAL_MS = 15 * SECOND_MS;
/** Maximum number of series of `ingest_lag_seconds`, one for each of the customers that imported last. */
const MAX_CUSTOMER_SERIES = 500;

interface Freshness {
  standby: boolean;
  /** Whether a standby has replayed everything it received and is connected to its primary. */
  caughtUp: boolean;
  /** Age of the last transaction that a standby has replayed; null when it has replayed none. */
  lastReplayedSeconds: number | null;
  /** Whether Citus is installed, which distributes customers over nodes. */
  citus: boolean;
  planCacheMode: string;
}

const FRESHNESS_SQL = `SELECT pg_is_in_recovery() AS standby,
    coalesce(pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn(), false) AND EXISTS (SELECT FROM pg_stat_wal_receiver) AS "caughtUp",
    extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp())::float8 AS "lastReplayedSeconds",
    EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') AS citus, current_setting('plan_cache_mode') AS "planCacheMode"`;

interface Ingest {
  /** Number of customers with imports. */
  customers: number;
  /** Time since the newest import of each customer. */
  lags: [customerId: number, seconds: number][];
}

const INGEST_SQL = `SELECT (SELECT count(*) FROM fleet.data_versions)::integer AS customers,
    (SELECT coalesce(json_agg(json_build_array(latest.customer_id, latest.seconds)), '[]') FROM (
       SELECT p.customer_id, extract(epoch FROM clock_timestamp() - p.imported_at)::float8 AS seconds
       FROM fleet.data_versions p ORDER BY p.imported_at DESC LIMIT $1
     ) AS latest) AS lags`;

/**
 * Polls the age of the data that this process serves, for metrics and, on a standby, for readiness: a process whose
 * standby lags too far receives no traffic. See docs/operating-fleet-data.md.
 */
@Injectable()
export class DataFreshness implements OnModuleInit, OnModuleDestroy {
  private freshness: Freshness | undefined;
  private ingest: (Ingest & { readAtMs: number }) | undefined;
  /** Last time at which a standby had no lag, in ms of `performance.now()`. */
  private caughtUpAtMs: number | undefined;
  /** Null when unknown. */
  private replicationLagSeconds: number | null = null;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    private readonly config: FleetConfig,
    private readonly database: Database,
    { readiness, metrics }: Runtime,
  ) {
    readiness.register(
      'replication',
      () => this.staleness,
      () => this.replication,
    );
    metrics.gauge('database_standby', '1 where the database is a standby.', () =>
      this.freshness?.standby ? 1 : 0,
    );
    metrics.gauge(
      'database_replication_lag_seconds',
      'Lag of the standby behind its primary; 0 on a primary, NaN when unknown.',
      () => (this.freshness?.standby ? (this.replicationLagSeconds ?? NaN) : 0),
    );
    metrics.gauge('ingest_customers', 'Number of customers with imports.', () => this.ingest?.customers ?? 0);
    metrics.labeledGauge(
      'ingest_lag_seconds',
      `Time since the newest import of each of the ${MAX_CUSTOMER_SERIES} customers that imported last.`,
      'customer_id',
      () => this.ingestLags,
    );
  }

  /** Resolves after the first check, even if it fails. */
  async onModuleInit(): Promise<void> {
    await this.check();
  }

  onModuleDestroy(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  /** Reason why this process must not serve data; null when it may. */
  private get staleness(): string | null {
    if (this.freshness === undefined) return 'the database role (primary or standby) is not known yet';
    if (this.freshness.citus && this.freshness.planCacheMode === 'force_generic_plan')
      return 'plan_cache_mode is force_generic_plan, which Citus rejects: run `fleet database prepare`';
    if (!this.freshness.standby) return null;
    const { replicationLagSeconds: lag } = this;
    if (lag === null) return 'the lag of the standby is unknown';
    const { standbyLagLimitSeconds: limit } = this.config;
    return lag <= limit ? null : `${this.replication}; the limit is ${limit} s`;
  }

  /** Role of the database, with the lag of a standby. */
  private get replication(): string {
    if (!this.freshness?.standby) return 'primary';
    return `standby, ${Math.round((this.replicationLagSeconds ?? 0) * 10) / 10} s behind`;
  }

  /** Time since the newest import of each customer: the result of the last query, increased by its age. */
  private get ingestLags(): Ingest['lags'] {
    const { lags, readAtMs } = this.ingest ?? { lags: [], readAtMs: 0 };
    const sinceSeconds = (performance.now() - readAtMs) / SECOND_MS;
    return lags.map(([customerId, seconds]) => [customerId, seconds + sinceSeconds]);
  }

  /**
   * Updates the lag. The time since there was none is an upper bound: the age of the last replayed transaction alone would overestimate
   * the lag, because on an idle primary that transaction may be hours old.
   */
  private updateLag({ standby, caughtUp, lastReplayedSeconds }: Freshness): void {
    const nowMs = performance.now();
    if (!standby || caughtUp) {
      this.caughtUpAtMs = nowMs;
      this.replicationLagSeconds = 0;
    } else if (this.caughtUpAtMs === undefined) {
      this.replicationLagSeconds = lastReplayedSeconds;
    } else {
      const sinceCaughtUpSeconds = (nowMs - this.caughtUpAtMs) / SECOND_MS;
      this.replicationLagSeconds = Math.min(lastReplayedSeconds ?? Infinity, sinceCaughtUpSeconds);
    }
  }

  /** Reads the freshness, and schedules the next check. */
  private async check(): Promise<void> {
    try {
      const [freshness] = await this.database.query<Freshness>({
        name: 'data-freshness',
        text: FRESHNESS_SQL,
      });
      this.freshness = freshness;
      if (freshness !== undefined) this.updateLag(freshness);
      await this.readIngest();
    } catch {
      // Keep the last known values; the database check reports the outage.
    }
    if (this.stopped) return;
    this.timer = setTimeout(() => void this.check(), CHECK_INTERVAL_MS);
    this.timer.unref();
  }

  private async readIngest(): Promise<void> {
    const readAtMs = performance.now();
    const ageMs = readAtMs - (this.ingest?.readAtMs ?? -Infinity);
    if (this.freshness?.citus && ageMs < DISTRIBUTED_INGEST_INTERVAL_MS) return;
    const [ingest] = await this.database.query<Ingest>({
      name: 'ingest-lags',
      text: INGEST_SQL,
      values: [MAX_CUSTOMER_SERIES],
    });
    this.ingest = ingest && { ...ingest, readAtMs };
  }
}
