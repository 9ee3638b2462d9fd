import { SEVERITIES } from '@gpu-observatory/domain-types';
import { PAST_STATES_KEPT } from '../../importer/write/alert-state-writer.ts';

const ALERT_SUMS = SEVERITIES.map((severity) => `alerts_${severity}`);

const TELEMETRY_SUMS = `DELETE FROM fleet.metric_days WHERE day < $1 AND ${ALERT_SUMS.join(' + ')} = 0`;

/** What would be left of the rows before `$1`, the border of a month, when a table's partition goes. */
export const DEPENDENT_ROWS: Record<string, string[]> = {
  alerts: [
    'DELETE FROM fleet.alert_counts WHERE bucket < $1',
    'DELETE FROM fleet.alert_past_states WHERE created_at < $1',
    `UPDATE fleet.metric_days SET ${ALERT_SUMS.map((sum) => `${sum} = 0`).join(', ')}
     WHERE day < $1 AND ${ALERT_SUMS.join(' + ')} <> 0`,
  ],
  // Alerts may be kept for longer than telemetry: their sums stay, and so does the row they are in.
  gpu_days: [TELEMETRY_SUMS],
  host_days: [TELEMETRY_SUMS],
};

/** What grows old row by row: each statement removes one customer's (`$1`) that are older than it is kept (`$2`). */
export const AGING_ROWS = [
  {
    name: 'alert_past_states',
    keptLike: null,
    kept: PAST_STATES_KEPT,
    text: 'DELETE FROM fleet.alert_past_states WHERE customer_id = $1 AND changed_at < now() - $2::interval',
  },
  {
    // A scrape that is older than any sample that is taken is no repetition.
    name: 'import_digests',
    keptLike: 'samples',
    kept: null,
    text: 'DELETE FROM fleet.import_digests WHERE customer_id = $1 AND imported_at < now() - $2::interval',
  },
  {
    name: 'gpu_processes',
    keptLike: 'rollups',
    kept: null,
    text: 'DELETE FROM fleet.gpu_processes WHERE customer_id = $1 AND last_seen < now() - $2::interval',
  },
] as const;
