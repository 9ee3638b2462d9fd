import type { AlertType, Severity } from '@gpu-observatory/domain-types';
import type { TimelineStep } from '../alerts/timeline-scripts.ts';
import type { Gpu, Host } from '../fleet/fleet.ts';
import type { Incident } from '../telemetry/faults.ts';
import type { Job } from '../telemetry/jobs.ts';

/** An alert with its own texts. Names in braces refer to `AlertContext.values`. */
export interface ScriptedAlert {
  /** ms since the epoch. */
  at: number;
  host: Host;
  gpu: Gpu | null;
  type: AlertType;
  severity: Severity;
  title: string;
  description: string;
  /** Command line of the detected process. Default: the job that runs on the GPU. */
  command?: string;
  /** Events before the alert, oldest first. */
  steps: readonly TimelineStep[];
}

/** Texts of a scripted alert, which replace those of its type. */
export type Texts = Omit<ScriptedAlert, 'at' | 'host' | 'gpu'>;

/** Additional temperature of the GPUs of one host: it rises for a third of the time, stays, and falls at the end. */
export interface Heat {
  host: Host;
  start: number;
  end: number;
  celsius: number;
}

/** A job that replaces the planned ones of its GPU. */
export interface ScriptedJob extends Job {
  gpu: Gpu;
}

/** A sequence of related events in the last days of the history of one customer. */
export interface Story {
  incidents?: Incident[];
  jobs?: ScriptedJob[];
  heat?: Heat[];
  alerts: ScriptedAlert[];
}

/**
 * Returns a random host that no other story uses and that fulfills the condition, and marks it as used.
 *
 * @returns undefined if the customer has no such host
 */
export type ClaimHost = (isFit: (host: Host) => boolean) => Host | undefined;
