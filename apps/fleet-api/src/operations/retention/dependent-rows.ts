import { SEVERITIES } from '@gpu-observatory/domain-types';
import { PAST_STATES_KEPT } from '../../model/alerts/past-states.ts';

const ALERT_SUMS = SEVERITIES.map((severity) => `alerts_${severity}`);

const TELEMETRY_SUMS = `DELETE FROM fleet.metric_days WHERE day < $1 AND ${ALERT_SUMS.join(' + ')} = 0`;

/**
 * Statements that delete dependent rows before `$1`, the start of a month, when a partition of the table is dropped.
 */
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

/** Rows deleted one by one. Each statement deletes the rows of a customer (`$1`) older than an interval (`$2`). */
export const AGING_ROWS = [
  {
    name: 'alert_past_states',
    retentionKind: null,
    kept: PAST_STATES_KEPT,
    text: 'DELETE FROM fleet.alert_past_states WHERE customer_id = $1 AND changed_at < now() - $2::interval',
  },
  {
    // A repeated scrape is rejected by its age once its samples are older than the retention.
    name: 'import_digests',
    retentionKind: 'samples',
    kept: null,
    text: 'DELETE FROM fleet.import_digests WHERE customer_id = $1 AND imported_at < now() - $2::interval',
  },
  {
    name: 'gpu_processes',
    retentionKind: 'rollups',
    kept: null,
    text: 'DELETE FROM fleet.gpu_processes WHERE customer_id = $1 AND last_seen < now() - $2::interval',
  },
  {
    name: 'gpu_workloads',
    retentionKind: 'rollups',
    kept: null,
    text: 'DELETE FROM fleet.gpu_workloads WHERE customer_id = $1 AND last_seen < now() - $2::interval',
  },
] as const;
