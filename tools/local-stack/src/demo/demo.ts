import type { DatabaseUrls } from '../databases/roles.ts';
import type { ServiceEnvironments } from '../services/service-environments.ts';
import type { Start } from '../stack.ts';
import { describeStack } from '../stack-file.ts';
import { applyTenants, readTenants } from '../tenants/tenants.ts';
import { makeAgentKeys } from './agent-keys.ts';
import { chooseDemoFleet, noteDemoFleet, readDemoFleet, readFedUntil } from './demo-fleet.ts';
import { importHistory } from './import-history.ts';
import { startLiveFeed } from './live-feed.ts';

/**
 * Declares the demo's customers and, unless asked not to, gives them a fleet that lives.
 *
 * @param accountServes resolves when account-service takes requests: a new fleet's agents get their keys there
 */
export async function startDemo(
  { options, ports, directory, steps, abort, started }: Start,
  { operations }: ServiceEnvironments,
  urls: DatabaseUrls,
  accountServes: Promise<void>,
): Promise<void> {
  const { signal } = abort;
  await steps.run('Customers', () => applyTenants(operations.account, directory.logs, signal));
  if (!options.demo) return;

  const present = await readDemoFleet(urls.administrator);
  const chosen = chooseDemoFleet(present, options.fleet, new Date());
  const customers = (await readTenants(operations.account, directory.logs, signal)).filter(
    ({ active }) => active,
  );
  const fleet = present
    ? chosen
    : {
        ...chosen,
        agent_keys: await steps.run('API keys of the agents', async () => {
          await unlessAborted(accountServes, signal);
          return makeAgentKeys(describeStack(ports, urls), customers);
        }),
      };
  const surroundings = { directory, importerEnvironment: operations.fleet, customers };
  if (!fleet.complete) {
    await noteDemoFleet(urls.administrator, fleet);
    await steps.run('History of the simulated fleet', (report) =>
      importHistory(fleet, surroundings, report, signal),
    );
    await noteDemoFleet(urls.administrator, { ...fleet, complete: true });
  }
  signal.throwIfAborted();

  let begun = fleet.complete;
  const feed = startLiveFeed(fleet, surroundings, {
    async since() {
      const fedUntil =
        begun &&
        (await readFedUntil(
          urls.owners.fleet,
          customers.map(({ id }) => id),
        ));
      begun = true;
      return fedUntil ? fedUntil.toISOString() : fleet.history_until;
    },
    liveStates: options.liveStates,
    say: (line) => steps.say(line),
  });
  started.defer(() => feed.stop());
}

/** @throws the reason of the abort, when that comes first */
async function unlessAborted(wanted: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const stop = () => aborted.reject(signal.reason as Error);
  signal.addEventListener('abort', stop, { once: true });
  await Promise.race([wanted, aborted.promise]).finally(() => signal.removeEventListener('abort', stop));
}
