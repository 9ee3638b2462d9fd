import { planHistory } from './alerts/alert-plan.ts';
import { alertRecords } from './alerts/alert-records.ts';
import { hostHistory } from './hosts/host-history.ts';
import { resolveOptions, type SimulationOptions } from './options.ts';
import { simulateFleet } from './simulated-fleet.ts';
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
  for (const { customer_id, workspaces } of simulation.tenants) {
    for (const { workspace_id, name } of workspaces) {
      yield JSON.stringify({ kind: 'workspace', customer_id, workspace_id, name });
    }
  }
  const fleet = simulateFleet(simulation, firstDayOf(simulation));
  yield* hostHistory(fleet, firstDayOf(simulation));
  yield* telemetryHistory(fleet);
  const recordsOf = alertRecords(fleet);
  for (const plan of planHistory(fleet)) yield* recordsOf(plan);
}
