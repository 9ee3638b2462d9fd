import { buildFleet, type Fleet, type Gpu } from './fleet/fleet.ts';
import type { Simulation } from './options.ts';
import { planStories, type Stories } from './stories/stories.ts';
import { incidentCalendar } from './telemetry/incidents.ts';
import { GpuTelemetry } from './telemetry/readings.ts';

/** A fleet with what happens to it. */
export interface SimulatedFleet extends Fleet {
  simulation: Simulation;
  stories: Stories;
  telemetryOf(gpu: Gpu): GpuTelemetry;
}

/** @param from earliest time that telemetry is read for */
export function simulateFleet(simulation: Simulation, from: number): SimulatedFleet {
  const fleet = buildFleet(simulation);
  const stories = planStories(simulation, fleet);
  const calendar = incidentCalendar(simulation, fleet, stories, from);
  const telemetry = fleet.gpus.map((gpu) => new GpuTelemetry(simulation.seed, gpu, calendar, stories));
  return { ...fleet, simulation, stories, telemetryOf: ({ index }) => telemetry[index]! };
}
