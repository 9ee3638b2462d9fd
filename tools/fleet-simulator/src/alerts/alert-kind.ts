import type { FaultSign } from '../telemetry/faults.ts';

/** What an alert is about, which decides what it can say of its surroundings. */
export type Subject = 'gpu' | 'host' | 'container' | 'control_plane';

/**
 * One alert type in words. Titles and descriptions name values of the scene in braces (`alert-scene.ts`); command
 * lines are those of the process that was caught.
 */
export interface AlertKind {
  /** How often it comes, relative to the others. */
  frequency: number;
  /** How often it is critical, high, medium, low, info. */
  severities: readonly [number, number, number, number, number];
  subject: Subject;
  titles: readonly string[];
  descriptions: readonly string[];
  /** Empty: the job that runs on the GPU. */
  commands: readonly string[];
  /** Sections that belong to it beside those of its subject. */
  sections?: readonly ('gpu_details' | 'memory_details' | 'workload_details')[];
  /** Faults of a board that set it off, where one has them. */
  signs?: readonly FaultSign[];
}
