import {
  ConfigurationError,
  type Environment,
  readSettings,
  setting,
} from '@gpu-observatory/service-runtime/process';

const months = (data: string) =>
  setting.integer(`months for which ${data} are kept`, { min: 1, max: 13, defaultValue: 13 });

/** Retention periods of `retention apply`. The importer rejects data older than 13 months. */
export const retentionSettings = {
  RETENTION_ALERTS_MONTHS: months('alerts with their details, timelines and counts'),
  RETENTION_EVENTS_MONTHS: months('XID and other telemetry events'),
  RETENTION_ROLLUPS_MONTHS: months('rollups of telemetry and metrics'),
  RETENTION_SAMPLES_DAYS: setting.integer('days for which raw samples are kept', {
    min: 1,
    // 13 months of 28 days, see below.
    max: 364,
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
  const errors = [
    // Without the events, a GPU with reported XIDs in its rollups would have 0 XID errors instead of null.
    ...(events < rollups
      ? [
          `RETENTION_EVENTS_MONTHS (${events}) must be at least RETENTION_ROLLUPS_MONTHS (${rollups}), whose windows count these events`,
        ]
      : []),
    ...(samples > rollups * 28
      ? [
          `RETENTION_SAMPLES_DAYS (${samples}) must be at most ${rollups * 28}, the days of RETENTION_ROLLUPS_MONTHS (${rollups})`,
        ]
      : []),
  ];
  if (errors.length > 0) throw new ConfigurationError(errors.join('\n'));
  return {
    alerts: `${alerts} months`,
    events: `${events} months`,
    rollups: `${rollups} months`,
    samples: `${samples} days`,
  };
}
