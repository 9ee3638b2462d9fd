import pg from 'pg';
import { DATABASE } from '../databases/roles.ts';
import {
  defaultFleet,
  type FleetSize,
  type SimulationOptions,
} from '@gpu-observatory/fleet-simulator/options';
import { withClient } from '@gpu-observatory/embedded-database';
import { StackError } from '../errors.ts';
import type { Customer } from '../tenants/tenants.ts';
import type { AgentKeys } from './agent-keys.ts';

/** Parameters of the simulated fleet of a database. The same parameters generate the same fleet. */
interface DemoFleet extends FleetSize {
  /** End of the history and start of the live feed, RFC 3339. */
  history_until: string;
  /** Whether the whole history has been imported. */
  complete: boolean;
  agent_keys: AgentKeys;
}

/** Reads the parameters of the fleet in the database. They are stored in the comment of the database. */
export async function readDemoFleet(administratorUrl: string): Promise<DemoFleet | undefined> {
  return withClient(administratorUrl, async (client) => {
    const { rows } = await client.query<{ comment: string | null }>(
      "SELECT shobj_description(oid, 'pg_database') AS comment FROM pg_database WHERE datname = current_database()",
    );
    const comment = rows[0]?.comment;
    return comment ? (JSON.parse(comment) as { demo_fleet: DemoFleet }).demo_fleet : undefined;
  });
}

export async function saveDemoFleet(administratorUrl: string, fleet: DemoFleet): Promise<void> {
  await withClient(administratorUrl, async (client) => {
    await client.query(
      `COMMENT ON DATABASE ${DATABASE} IS ${pg.escapeLiteral(JSON.stringify({ demo_fleet: fleet }))}`,
    );
  });
}

/** Returns the parameters of a new fleet: the requested ones, completed with defaults. */
export function newDemoFleet(requested: Partial<FleetSize>, now: Date): Omit<DemoFleet, 'agent_keys'> {
  // Every host needs at least one GPU, even if only one of the two numbers is requested.
  const { hosts = Math.min(defaultFleet.hosts, requested.gpus ?? Infinity) } = requested;
  const { gpus = Math.max(defaultFleet.gpus, hosts) } = requested;
  return { ...defaultFleet, ...requested, hosts, gpus, history_until: now.toISOString(), complete: false };
}

/** @param customers owners of the fleet */
export function simulationOf(
  { history_until, complete: _complete, agent_keys: keys, ...size }: DemoFleet,
  customers: readonly Customer[],
): SimulationOptions {
  const tenants = customers.map(({ id: customer_id, workspaces }) => ({
    customer_id,
    workspaces: workspaces.map(({ id, name }) => ({ workspace_id: id, name, api_key_ids: keys[id] ?? [] })),
  }));
  return { ...size, now: new Date(history_until), tenants };
}

/** @throws {StackError} when the requested parameters differ from those of the existing fleet */
export function checkDemoFleet(existing: DemoFleet, requested: Partial<FleetSize>): void {
  for (const [name, value] of Object.entries(requested) as [keyof FleetSize, number][]) {
    if (existing[name] === value) continue;
    throw new StackError(
      `The existing simulated fleet has --${name} ${existing[name]}, not ${value}: omit --${name}, or start with --reset to create another fleet.`,
    );
  }
}

/** Returns the time of the last import for each of these customers; the earliest of them. */
export async function readLastImportTime(
  fleetOwnerUrl: string,
  customerIds: number[],
): Promise<Date | undefined> {
  return withClient(fleetOwnerUrl, async (client) => {
    const { rows } = await client.query<{ last_import: Date | null }>(
      'SELECT min(imported_at) AS last_import FROM fleet.data_versions WHERE customer_id = ANY ($1)',
      [customerIds],
    );
    return rows[0]?.last_import ?? undefined;
  });
}
