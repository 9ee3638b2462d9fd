import {
  ConfigurationError,
  type Environment,
  readSettings,
  setting,
} from '@gpu-observatory/service-runtime/process';

const MAX_MONTHS = 13;
const MIN_DAYS_PER_MONTH = 28;

const months = (data: string) =>
  setting.integer(`months for which ${data} are kept`, { min: 1, max: MAX_MONTHS, defaultValue: MAX_MONTHS });

/** Retention periods of `retention apply`. The importer rejects data older than 13 months. */
export const retentionSettings = {
  RETENTION_ALERTS_MONTHS: months('alerts with their details, timelines and counts'),
  RETENTION_EVENTS_MONTHS: months('XID and other telemetry events'),
  RETENTION_ROLLUPS_MONTHS: months('rollups of telemetry and metrics'),
  RETENTION_SAMPLES_DAYS: setting.integer('days for which raw samples are kept', {
    min: 1,
    max: MAX_MONTHS * MIN_DAYS_PER_MONTH,
    defaultValue: 14,
  }),
};

/** PostgreSQL intervals by kind of data, the rows of `fleet.retention`. */
export type Retention = Record<'alerts' | 'events' | 'rollups' | 'samples', string>;

/** @throws {ConfigurationError} with each invalid variable or contradiction between two variables */
export function readRetention(environment: Environment): Retention {
  const {
    RETENTION_ALERTS_MONTHS: alerts,
    RETENTION_EVENTS_MONTHS: events,
    RETENTION_ROLLUPS_MONTHS: rollups,
    RETENTION_SAMPLES_DAYS: samples,
  } = readSettings(retentionSettings, environment);
  const errors: string[] = [];
  // Without the events, a GPU with reported XIDs in its rollups would have 0 XID errors instead of null.
  if (events < rollups)
    errors.push(
      `RETENTION_EVENTS_MONTHS (${events}) must be at least RETENTION_ROLLUPS_MONTHS (${rollups}), whose windows count these events`,
    );
  const maxSampleDays = rollups * MIN_DAYS_PER_MONTH;
  if (samples > maxSampleDays)
    errors.push(
      `RETENTION_SAMPLES_DAYS (${samples}) must be at most ${maxSampleDays}, the days of RETENTION_ROLLUPS_MONTHS (${rollups})`,
    );
  if (errors.length > 0) throw new ConfigurationError(errors.join('\n'));
  return {
    alerts: `${alerts} months`,
    events: `${events} months`,
    rollups: `${rollups} months`,
    samples: `${samples} days`,
  };
}
