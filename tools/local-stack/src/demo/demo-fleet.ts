import pg from 'pg';
import { DATABASE } from '../databases/roles.ts';
import { withClient } from '../databases/with-client.ts';
import { StackError } from '../failures.ts';
import type { AgentKeys } from './agent-keys.ts';
import { defaultFleet, type FleetSize } from '../options.ts';

/** The simulated fleet of a database: the same numbers make the same fleet again. */
export interface DemoFleet extends FleetSize {
  /** RFC 3339: the end of its history, from which the live feed goes on. */
  history_until: string;
  /** Whether all its history is in the database. */
  complete: boolean;
  /** What its agents are known by; a fleet from before they had keys has none. */
  agent_keys?: AgentKeys;
}

/**
 * Which fleet the database holds. It is noted on the database itself, as its comment, so that it goes where the data
 * goes.
 */
export async function readDemoFleet(administratorUrl: string): Promise<DemoFleet | undefined> {
  return withClient(administratorUrl, async (client) => {
    const { rows } = await client.query<{ comment: string | null }>(
      "SELECT shobj_description(oid, 'pg_database') AS comment FROM pg_database WHERE datname = current_database()",
    );
    const comment = rows[0]?.comment;
    return comment ? (JSON.parse(comment) as { demo_fleet: DemoFleet }).demo_fleet : undefined;
  });
}

export async function noteDemoFleet(administratorUrl: string, fleet: DemoFleet): Promise<void> {
  await withClient(administratorUrl, async (client) => {
    await client.query(
      `COMMENT ON DATABASE ${DATABASE} IS ${pg.escapeLiteral(JSON.stringify({ demo_fleet: fleet }))}`,
    );
  });
}

/**
 * The fleet to simulate: the one that is there, else the one that was asked for.
 *
 * @throws {StackError} when another one was asked for than is there
 */
export function chooseDemoFleet(
  present: DemoFleet | undefined,
  asked: Partial<FleetSize>,
  now: Date,
): DemoFleet {
  if (!present) {
    // A host has at least one GPU, also where only one of the two numbers was asked for.
    const { hosts = Math.min(defaultFleet.hosts, asked.gpus ?? Infinity) } = asked;
    const { gpus = Math.max(defaultFleet.gpus, hosts) } = asked;
    return { ...defaultFleet, ...asked, hosts, gpus, history_until: now.toISOString(), complete: false };
  }
  for (const [name, value] of Object.entries(asked) as [keyof FleetSize, number][]) {
    if (present[name] !== value) {
      throw new StackError(
        `The simulated fleet that is there has --${name} ${present[name]}, not ${value}: start with --reset for another fleet, or leave --${name} out.`,
      );
    }
  }
  return present;
}

/** When the importer last brought something in for each of these customers: the earliest of those times. */
export async function readFedUntil(fleetOwnerUrl: string, customerIds: number[]): Promise<Date | undefined> {
  return withClient(fleetOwnerUrl, async (client) => {
    const { rows } = await client.query<{ fed_until: Date | null }>(
      'SELECT min(imported_at) AS fed_until FROM fleet.data_versions WHERE customer_id = ANY ($1)',
      [customerIds],
    );
    return rows[0]?.fed_until ?? undefined;
  });
}
