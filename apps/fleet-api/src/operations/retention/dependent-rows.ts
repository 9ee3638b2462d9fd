import { SEVERITIES } from '@gpu-observatory/domain-types';
import type { Retention } from '../../config/retention.config.ts';
import { PAST_STATES_KEPT } from '../../model/alerts/past-states.ts';

const ALERT_SUMS = SEVERITIES.map((severity) => `alerts_${severity}`);

const TELEMETRY_SUMS = `DELETE FROM fleet.metric_days WHERE day < $1 AND ${ALERT_SUMS.join(' + ')} = 0`;

/** By table, the statements that delete dependent rows before `$1`, the start of a month, when a partition of the table is dropped. */
export const DEPENDENT_ROWS: Record<string, string[]> = {
  alerts: [
    'DELETE FROM fleet.alert_counts WHERE bucket < $1',
    'DELETE FROM fleet.alert_past_states WHERE created_at < $1',
    `UPDATE fleet.metric_days SET ${ALERT_SUMS.map((sum) => `${sum} = 0`).join(', ')}
     WHERE day < $1 AND ${ALERT_SUMS.join(' + ')} <> 0`,
  ],
  // Alerts may be kept longer than telemetry: rows with sums of alerts stay.
  gpu_days: [TELEMETRY_SUMS],
  host_days: [TELEMETRY_SUMS],
};

/** Rows that are deleted by their age, not with a partition. */
interface AgingRows {
  table: string;
  /** Column of the time from which the age of a row is measured. */
  at: string;
  /** Returns the age at which rows are deleted, as a PostgreSQL interval. */
  kept(retention: Retention): string;
}

export const AGING_ROWS: readonly AgingRows[] = [
  { table: 'alert_past_states', at: 'changed_at', kept: () => PAST_STATES_KEPT },
  // A repeated scrape is rejected by its age once its samples are older than the retention.
  { table: 'import_digests', at: 'imported_at', kept: ({ samples }) => samples },
  { table: 'gpu_processes', at: 'last_seen', kept: ({ rollups }) => rollups },
  { table: 'gpu_workloads', at: 'last_seen', kept: ({ rollups }) => rollups },
];
