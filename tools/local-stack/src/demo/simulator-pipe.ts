import { join } from 'node:path';
import type { Tenant } from '@gpu-observatory/fleet-simulator/options';
import type { DataDirectory } from '../data-directory.ts';
import { ChildProgram } from '../processes/child-program.ts';
import type { Environment } from '../services/service-environments.ts';
import { operationsOf } from '../services/services.ts';
import type { Customer } from '../tenants/tenants.ts';
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
 * @param since start of the live feed, RFC 3339
 * @param importerOutput `pipe` to read the importer's result
 */
export function openSimulatorPipe(
  mode: 'history' | 'live',
  fleet: DemoFleet,
  { directory, importerEnvironment, customers }: DemoContext,
  { since, importerOutput = 'log' }: { since?: string; importerOutput?: 'log' | 'pipe' } = {},
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
  const simulator = new ChildProgram({
    name: `${mode}-simulator`,
    script: 'tools/fleet-simulator/src/main.ts',
    args: [mode],
    logs: directory.logs,
    stdin: 'pipe',
    stdout: importer.stdin,
  });
  // Closes our end of the pipe, so that the importer sees its end when the simulator exits.
  importer.stdin.destroy();
  simulator.stdin.on('error', () => {}); // `simulator.ended` reports the failure.
  const { seed, hosts, gpus, alerts, days, history_until: now, agent_keys } = fleet;
  const tenants: Tenant[] = customers.map((customer) => ({
    customer_id: customer.id,
    workspaces: customer.workspaces.map(({ id, name }) => ({
      workspace_id: id,
      name,
      api_key_ids: agent_keys[id] ?? [],
    })),
  }));
  simulator.stdin.end(JSON.stringify({ now, since, tenants, seed, hosts, gpus, alerts, days }));
  return { simulator, importer };
}
