import { join } from 'node:path';
import type { DataDirectory } from '../data-directory.ts';
import { ChildProgram } from '../processes/child-program.ts';
import type { Environment } from '../services/service-environments.ts';
import { operationsOf } from '../services/services.ts';
import type { Customer } from '../tenants/tenants.ts';
import type { AgentKeys } from './agent-keys.ts';
import type { DemoFleet } from './demo-fleet.ts';

export interface DemoContext {
  directory: DataDirectory;
  /** Contains IMPORTER_DATABASE_URL. */
  importerEnvironment: Environment;
  /** Owners of the fleet. */
  customers: Customer[];
}

/** The simulator, piped into the importer of fleet-api. */
export interface SimulatorPipe {
  simulator: ChildProgram;
  importer: ChildProgram;
}

/**
 * Starts the simulator and the importer, connected by a pipe.
 *
 * @param importerOutput `pipe` to read the importer's result
 */
export function openSimulatorPipe(
  mode: 'history' | 'live',
  fleet: DemoFleet,
  { directory, importerEnvironment, customers }: DemoContext,
  { args = [], importerOutput = 'log' }: { args?: string[]; importerOutput?: 'log' | 'pipe' } = {},
): SimulatorPipe {
  const importer = new ChildProgram({
    name: `${mode}-import`,
    script: operationsOf('fleet'),
    args: [
      ...['import', 'ndjson', '-', '--rejects', join(directory.rejects, `${mode}.ndjson`)],
      // The endless feed would fill the log with progress lines.
      ...(mode === 'live' ? ['--quiet'] : []),
    ],
    env: importerEnvironment,
    logs: directory.logs,
    stdin: 'pipe',
    stdout: importerOutput,
  });
  const { seed, hosts, gpus, alerts, days, history_until: now } = fleet;
  const simulator = new ChildProgram({
    name: `${mode}-simulator`,
    script: 'tools/fleet-simulator/src/main.ts',
    args: [mode, ...flags({ now, tenants: '-', seed, hosts, gpus, alerts, days }), ...args],
    logs: directory.logs,
    stdin: 'pipe',
    stdout: importer.stdin,
  });
  // Closes our end of the pipe, so that the importer sees its end when the simulator exits.
  importer.stdin.destroy();
  simulator.stdin.on('error', () => {}); // `simulator.ended` reports the failure.
  simulator.stdin.end(JSON.stringify(customers.map((customer) => asTenant(customer, fleet.agent_keys))));
  return { simulator, importer };
}

function asTenant({ id, workspaces }: Customer, agentKeys: AgentKeys) {
  return {
    customer_id: id,
    workspaces: workspaces.map(({ id, name }) => ({
      workspace_id: id,
      name,
      api_key_ids: agentKeys[id] ?? [],
    })),
  };
}

function flags(values: Record<string, string | number>): string[] {
  return Object.entries(values).flatMap(([name, value]) => [`--${name}`, String(value)]);
}
