import type { GpuHealth } from '@gpu-observatory/domain-types';
import fc from 'fast-check';
import { healthAt } from '../../src/model/health/health-precedence.ts';
import { healthSql, isHealthySql, unhealthyRangesSql } from '../../src/model/health/health.sql.ts';
import { missingTimeoutMs } from '../../src/model/health/missing-data-timeout.ts';
import { urgencySql } from '../../src/model/health/urgency.sql.ts';
import { useFleetDatabase } from '../support/fleet-database.ts';
import { rowsOf } from '../support/fleet-tables.ts';

interface Gpu {
  /** In ms before now; ends of signals may be later. */
  lastSeen: number;
  critical: number | null;
  degraded: number | null;
  reportIntervalSeconds: number;
  hasTelemetry: boolean;
}

/** Far enough from now that the duration of the test does not matter. */
const offset = fc
  .integer({ min: -4_000_000, max: 4_000_000 })
  .map((ms) => (ms < 0 ? ms - 300_000 : ms + 300_000));
const gpus = fc.array(
  fc.record({
    lastSeen: fc.integer({ min: 0, max: 10_000 }).map((seconds) => seconds * 1_000),
    critical: fc.option(offset),
    degraded: fc.option(offset),
    reportIntervalSeconds: fc.integer({ min: 1, max: 600 }),
    hasTelemetry: fc.boolean(),
  }),
  { minLength: 200, maxLength: 200 },
);

const database = useFleetDatabase();

test('health in SQL equals health in TypeScript, with the missing-data timeout and the rank in lists', async () => {
  const nowMs = Math.floor(Date.now());
  const [generated] = fc.sample(gpus, { numRuns: 1, seed: 11 }) as [Gpu[]];
  const at = (ms: number | null) => (ms === null ? null : new Date(nowMs - ms));
  await rowsOf(
    database.importerUrl,
    `INSERT INTO fleet.gpus (customer_id, gpu_id, workspace_id, inventory_at, first_seen, last_seen, report_interval_seconds,
       critical_until, degraded_until, has_telemetry)
     SELECT 1, 'GPU-' || to_char(i, 'FM000'), 1, last_seen, last_seen, last_seen, interval, critical, degraded, telemetry
     FROM unnest($1::timestamptz[], $2::integer[], $3::timestamptz[], $4::timestamptz[], $5::boolean[])
       WITH ORDINALITY AS g (last_seen, interval, critical, degraded, telemetry, i)`,
    [
      generated.map(({ lastSeen }) => at(lastSeen)),
      generated.map(({ reportIntervalSeconds }) => reportIntervalSeconds),
      generated.map(({ critical }) => at(critical)),
      generated.map(({ degraded }) => at(degraded)),
      generated.map(({ hasTelemetry }) => hasTelemetry),
    ],
  );
  const rows = await rowsOf<{
    health: GpuHealth;
    healthy: boolean;
    ranges: number;
    missing_at: Date | null;
    urgency: number;
    now: Date;
  }>(
    database.apiUrl,
    `SELECT ${healthSql('g')} AS health, ${isHealthySql('g')} AS healthy, ${urgencySql('g')} AS urgency, g.missing_at, now() AS now,
       ${unhealthyRangesSql('g')
         .map(({ predicate }) => `coalesce((${predicate})::integer, 0)`)
         .join(' + ')} AS ranges
     FROM fleet.gpus g ORDER BY g.gpu_id`,
  );
  expect(rows).toHaveLength(generated.length);
  rows.forEach(({ health, healthy, urgency, ranges, missing_at, now }, i) => {
    const { lastSeen, critical, degraded, reportIntervalSeconds, hasTelemetry } = generated[i] as Gpu;
    const missingAtMs = hasTelemetry ? nowMs - lastSeen + missingTimeoutMs(reportIntervalSeconds) : null;
    expect(missing_at?.getTime() ?? null).toBe(missingAtMs);
    const ends = [critical, degraded].map((ms) => (ms === null ? null : nowMs - ms));
    const times = { missingAtMs, criticalUntilMs: ends[0] ?? null, degradedUntilMs: ends[1] ?? null };
    expect(health).toBe(healthAt(times, now.getTime()));
    const isLost = health === 'missing' && (times.criticalUntilMs ?? 0) > now.getTime();
    expect(urgency).toBe(isLost ? 1 : { critical: 0, degraded: 2, missing: 3, healthy: 4 }[health]);
    expect([healthy, ranges]).toEqual(health === 'healthy' ? [true, 0] : [false, 1]);
  });
  expect(new Set(rows.map(({ urgency }) => urgency)).size).toBe(5);
});
