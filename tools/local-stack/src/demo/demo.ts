import type { DatabaseUrls } from '../databases/roles.ts';
import type { ServiceEnvironments } from '../services/service-environments.ts';
import type { Start } from '../stack.ts';
import { applyTenants, readTenants } from '../tenants/tenants.ts';
import { chooseDemoFleet, noteDemoFleet, readDemoFleet } from './demo-fleet.ts';
import { importHistory } from './import-history.ts';
import { startLiveFeed } from './live-feed.ts';
import type { DemoSurroundings } from './simulator-pipe.ts';

/** Declares the demo's customers and, unless asked not to, gives them a fleet that lives. */
export async function startDemo(
  { options, directory, steps, abort, started }: Start,
  { operations }: ServiceEnvironments,
  urls: DatabaseUrls,
): Promise<void> {
  const { signal } = abort;
  await steps.run('Customers', () => applyTenants(operations.account, directory.logs, signal));
  if (!options.demo) return;

  const present = await readDemoFleet(urls.administrator);
  const fleet = chooseDemoFleet(present, options.fleet, new Date());
  const surroundings: DemoSurroundings = {
    directory,
    importerEnvironment: operations.fleet,
    customers: await readTenants(operations.account, directory.logs, signal),
  };
  if (!fleet.complete) {
    await noteDemoFleet(urls.administrator, fleet);
    await steps.run('History of the simulated fleet', (report) =>
      importHistory(fleet, surroundings, report, signal),
    );
    await noteDemoFleet(urls.administrator, { ...fleet, complete: true });
  }
  signal.throwIfAborted();
  const feed = startLiveFeed(fleet, surroundings, {
    liveStates: options.liveStates,
    say: (line) => steps.say(line),
  });
  started.defer(() => feed.stop());
}
