import type { FaultSymptom } from '../telemetry/faults.ts';

/** Resource that an alert is about; decides which detail sections and timeline it can have. */
export type Subject = 'gpu' | 'host' | 'container' | 'control_plane';

/**
 * Template of one alert type. Names in braces in titles and descriptions refer to `AlertContext.values`; command lines
 * are those of the detected process.
 */
export interface AlertTemplate {
  /** Weights of critical, high, medium, low and info. Their sum is the weight relative to the other types. */
  severities: readonly number[];
  titles: readonly string[];
  descriptions: readonly string[];
  /** Default: the job that runs on the GPU. */
  commands?: readonly string[];
  /** Whether nearly all alerts name a GPU, although they are about a host or a container. */
  withGpu?: boolean;
  /** Fault symptoms that trigger this alert on a GPU that has one of them. */
  symptoms?: readonly FaultSymptom[];
}

export interface AlertKind extends AlertTemplate {
  subject: Subject;
}
