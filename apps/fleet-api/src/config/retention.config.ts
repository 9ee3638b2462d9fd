import {
  ConfigurationError,
  type Environment,
  readSettings,
  setting,
} from '@gpu-observatory/service-runtime';

const months = (what: string) =>
  setting.integer(`for how many months ${what}`, { min: 1, max: 13, defaultValue: 13 });

/** How long `retention apply` leaves what; the importer takes nothing older than 13 months anyway. */
export const retentionSettings = {
  RETENTION_ALERTS_MONTHS: months('alerts, their details, timelines and counts are kept'),
  RETENTION_EVENTS_MONTHS: months('XID and other telemetry events are kept'),
  RETENTION_ROLLUPS_MONTHS: months('sums of telemetry and what metrics are made of are kept'),
  RETENTION_SAMPLES_DAYS: setting.integer('for how many days raw samples are kept', {
    min: 1,
    max: 390,
    defaultValue: 14,
  }),
};

/** The kinds of `fleet.retention`, each with the interval that it is kept for. */
export type Retention = Record<'alerts' | 'events' | 'rollups' | 'samples', string>;

/** @throws {ConfigurationError} naming each variable at fault, also where two of them contradict each other */
export function readRetention(environment: Environment): Retention {
  const {
    RETENTION_ALERTS_MONTHS: alerts,
    RETENTION_EVENTS_MONTHS: events,
    RETENTION_ROLLUPS_MONTHS: rollups,
    RETENTION_SAMPLES_DAYS: samples,
  } = readSettings(retentionSettings, environment);
  const faults = [
    // A window of rollups that knows XIDs were reported but not which would say that there were none.
    ...(events < rollups
      ? [
          `RETENTION_EVENTS_MONTHS is not valid: it should be at least RETENTION_ROLLUPS_MONTHS (${rollups}), which counts those events`,
        ]
      : []),
    ...(samples > rollups * 28
      ? [
          `RETENTION_SAMPLES_DAYS is not valid: it should be at most the ${rollups * 28} days of RETENTION_ROLLUPS_MONTHS (${rollups})`,
        ]
      : []),
  ];
  if (faults.length > 0) throw new ConfigurationError(faults.join('\n'));
  return {
    alerts: `${alerts} months`,
    events: `${events} months`,
    rollups: `${rollups} months`,
    samples: `${samples} days`,
  };
}
