import { plannedHistory } from './alerts/alert-plan.ts';
import { AlertTeller } from './alerts/alert-records.ts';
import { buildFleet } from './fleet/fleet.ts';
import { hostHistory } from './hosts/host-history.ts';
import { resolved, type SimulationOptions } from './options.ts';
import { IncidentCalendar } from './telemetry/incidents.ts';
import { firstDayOf, telemetryHistory } from './telemetry/telemetry-history.ts';

/**
 * The past of a fleet up to `now`, one NDJSON line (without its line break) at a time: workspaces, hosts and what is
 * on them, GPUs, their days, samples, XIDs and processes, then alerts, each with its timeline. Same options, same bytes.
 *
 * @throws RangeError when an option is out of its range
 */
export function* simulateHistory(options: SimulationOptions): Generator<string> {
  const simulation = resolved(options);
  const fleet = buildFleet(simulation);
  for (const { customer_id, workspaces } of simulation.tenants) {
    for (const { workspace_id, name } of workspaces) {
      yield JSON.stringify({ kind: 'workspace', customer_id, workspace_id, name });
    }
  }
  const calendar = new IncidentCalendar(simulation, fleet, firstDayOf(simulation));
  yield* hostHistory(simulation, fleet, firstDayOf(simulation));
  yield* telemetryHistory(simulation, fleet, calendar);
  const teller = new AlertTeller(simulation, fleet, calendar);
  for (const plan of plannedHistory(simulation, fleet)) yield* teller.tell(plan);
}
