import { planHistory } from './alerts/alert-plan.ts';
import { AlertRecordBuilder } from './alerts/alert-records.ts';
import { buildFleet } from './fleet/fleet.ts';
import { hostHistory } from './hosts/host-history.ts';
import { resolveOptions, type SimulationOptions } from './options.ts';
import { IncidentCalendar } from './telemetry/incidents.ts';
import { planStories } from './stories/stories.ts';
import { firstDayOf, telemetryHistory } from './telemetry/telemetry-history.ts';

/**
 * Generates the history of a fleet up to `now` as NDJSON lines without line breaks: workspaces, hosts with their
 * processes, containers, VMs and sessions, GPUs, GPU days, samples with XIDs and GPU processes, then alerts, each followed
 * by its timeline. The same options give the same bytes.
 *
 * @throws RangeError when an option is out of range
 */
export function* simulateHistory(options: SimulationOptions): Generator<string> {
  const simulation = resolveOptions(options);
  const fleet = buildFleet(simulation);
  for (const { customer_id, workspaces } of simulation.tenants) {
    for (const { workspace_id, name } of workspaces) {
      yield JSON.stringify({ kind: 'workspace', customer_id, workspace_id, name });
    }
  }
  const stories = planStories(simulation, fleet);
  const calendar = new IncidentCalendar(simulation, fleet, stories, firstDayOf(simulation));
  yield* hostHistory(simulation, fleet, firstDayOf(simulation));
  yield* telemetryHistory(simulation, fleet, calendar, stories);
  const alertRecords = new AlertRecordBuilder(simulation, fleet, calendar, stories);
  for (const plan of planHistory(simulation, fleet, stories)) yield* alertRecords.build(plan);
}
