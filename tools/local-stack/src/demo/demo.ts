import type { DatabaseUrls } from '../databases/roles.ts';
import type { ServiceEnvironments } from '../services/service-environments.ts';
import type { StartContext } from '../start-context.ts';
import type { SignInStack } from '../sign-in.ts';
import { readTenants } from '../tenants/tenants.ts';
import { ensureAgentKeys } from './agent-keys.ts';
import {
  newDemoFleet,
  readDemoFleet,
  readLastImportTime,
  saveDemoFleet,
  simulationOf,
} from './demo-fleet.ts';
import { importHistory } from './import-history.ts';
import { feedLiveData } from './live-feed.ts';

/**
 * Imports a simulated fleet and starts its live feed, unless disabled.
 *
 * @param ready resolve when the demo customers exist, and when the services accept requests, which the agents of a new fleet need
 */
export async function startDemo(
  { options, directory, steps, abort, started }: StartContext,
  { operations }: ServiceEnvironments,
  urls: DatabaseUrls,
  stack: SignInStack,
  ready: { customers: Promise<void>; services: Promise<unknown> },
): Promise<void> {
  const { signal } = abort;
  await ready.customers;
  if (!options.demo) return;

  const existing = await readDemoFleet(urls.administrator);
  const customers = (await readTenants(operations.account, directory.logs, signal)).filter(
    ({ active }) => active,
  );
  const fleet = existing ?? {
    ...newDemoFleet(options.fleet, new Date()),
    agent_keys: await steps.run('Agent API keys', async () => {
      await ready.services;
      return ensureAgentKeys(stack, customers);
    }),
  };
  const simulation = simulationOf(fleet, customers);
  const target = { directory, importerEnvironment: operations.fleet };
  if (!fleet.complete) {
    await saveDemoFleet(urls.administrator, fleet);
    await steps.run('Simulated fleet history', (report) => importHistory(simulation, target, report, signal));
    await saveDemoFleet(urls.administrator, { ...fleet, complete: true });
  }
  signal.throwIfAborted();

  let hasLiveData = fleet.complete;
  const since = async () => {
    const customerIds = customers.map(({ id }) => id);
    const lastImport = hasLiveData && (await readLastImportTime(urls.owners.fleet, customerIds));
    hasLiveData = true;
    return lastImport || simulation.now;
  };
  const stopping = new AbortController();
  const print = (line: string) => steps.print(line);
  const feeding = feedLiveData(simulation, target, { since, print }, stopping.signal);
  started.defer(() => {
    stopping.abort();
    return feeding;
  });
}
