import {
  demoAccounts,
  type IdentityProvider,
  startIdentityProvider,
} from '@gpu-observatory/identity-provider';
import {
  type DataDirectory,
  emptyDataDirectory,
  mayHoldServer,
  openDataDirectory,
} from './data-directory.ts';
import { type DatabaseServer, startOwnServer, useForeignServer } from './databases/database-server.ts';
import { databaseUrls } from './databases/roles.ts';
import { startDemo } from './demo/demo.ts';
import { startExamplePage } from './example-page/example-page.ts';
import { StackError } from './failures.ts';
import type { StackOptions } from './options.ts';
import { localUrl, type Ports, portsFrom, refuseTakenPorts } from './ports.ts';
import { ChildProgram } from './processes/child-program.ts';
import { together } from './processes/together.ts';
import { ensureSecrets, type Secrets } from './secrets.ts';
import { publishContent } from './services/publish-content.ts';
import { prepareSchema } from './services/prepare-schema.ts';
import {
  oauthClients,
  type ServiceEnvironments,
  serviceEnvironments,
} from './services/service-environments.ts';
import { mainOf, type ServiceKey, serviceKeys, services } from './services/services.ts';
import { untilReady } from './services/until-ready.ts';
import { describeStack, type StackFile, writeStackFile } from './stack-file.ts';
import { lockDataDirectory } from './stack-lock.ts';
import type { Steps } from './steps.ts';

const PATIENCE_WITH_ABANDONED_MS = 10_000;

export interface RunningStack {
  description: StackFile;
  ports: Ports;
  directory: DataDirectory;
  /** Rejects when a part that everything needs has ended by itself. */
  broken: Promise<never>;
  /** Stops every part in its turn; data stays. */
  stop(): Promise<void>;
}

/** What every step of a start needs. */
export interface Start {
  options: StackOptions;
  ports: Ports;
  directory: DataDirectory;
  steps: Steps;
  /** Ends the start: a signal from the person, or the first failure. */
  abort: AbortController;
  /** What has to be stopped, the last one first. */
  started: AsyncDisposableStack;
}

/**
 * Brings up everything, one part on the other. What was started is stopped again when a part fails or `abort` fires.
 *
 * @throws {StackError} saying what to mend, or with the end of the log of what failed
 */
export async function startStack(
  options: StackOptions,
  steps: Steps,
  abort: AbortController,
): Promise<RunningStack> {
  await using started = new AsyncDisposableStack();
  const ports = portsFrom(options.portBase);
  const directory = openDataDirectory(options.dataDirectory);
  const { release, abandoned } = lockDataDirectory(directory, localUrl(ports.examplePage));
  started.defer(release);
  const start: Start = { options, ports, directory, steps, abort, started };
  await refusePorts(start, abandoned);
  if (options.reset) await reset(start);

  const secrets = ensureSecrets(directory);
  const [server, provider] = await together(abort, [
    steps.run('PostgreSQL', () => openServer(start, secrets)),
    steps.run('Identity provider', () => openIdentityProvider(start, secrets)),
  ]);
  const urls = databaseUrls(server.administratorUrl, secrets);
  const environments = serviceEnvironments({
    ports,
    secrets,
    urls,
    provider,
    rateLimits: options.rateLimits,
  });

  await together(
    abort,
    serviceKeys.map((key) =>
      steps.run(`Schema of ${services[key]}`, () =>
        prepareSchema(key, environments, directory.logs, abort.signal),
      ),
    ),
  );
  const accountServes = Promise.withResolvers<void>();
  const [children] = await together(abort, [
    startServices(start, environments, (key) => {
      if (key === 'account') accountServes.resolve();
    }),
    startDemo(start, environments, urls, accountServes.promise),
    steps.run('Posts of the site', () => publishContent(environments, directory.logs, abort.signal)),
  ]);
  const page = await startExamplePage(ports);
  started.defer(() => page.stop());
  const description = describeStack(ports, urls);
  started.defer(writeStackFile(directory, description));
  abort.signal.throwIfAborted();

  const running = started.move();
  return {
    description,
    ports,
    directory,
    broken: whenBroken(server, children),
    stop: () => running.disposeAsync(),
  };
}

/** @param abandoned the parts of a killed run end by themselves, but not at once */
async function refusePorts({ options, ports, directory }: Start, abandoned: boolean): Promise<void> {
  const { database, ...others } = ports;
  // The database that a killed run left behind is stopped when ours starts.
  const databaseIsFree = options.databaseUrl !== undefined || mayHoldServer(directory);
  await refuseTakenPorts(
    databaseIsFree ? others : { ...others, database },
    abandoned ? PATIENCE_WITH_ABANDONED_MS : 0,
  );
}

async function reset({ options, directory, steps }: Start): Promise<void> {
  if (options.databaseUrl !== undefined) {
    throw new StackError(
      '--reset deletes the embedded database only: drop the database gpu_observatory of yours by hand, then start without --reset.',
    );
  }
  await steps.run('Delete earlier data', () => emptyDataDirectory(directory));
  openDataDirectory(directory.path);
}

async function openServer(
  { options, ports, directory, started, abort }: Start,
  secrets: Secrets,
): Promise<DatabaseServer> {
  const server =
    options.databaseUrl === undefined
      ? await startOwnServer(directory, ports.database, secrets.superuser_password)
      : await useForeignServer(options.databaseUrl);
  started.defer(() => server.stop());
  abort.signal.throwIfAborted();
  return server;
}

async function openIdentityProvider({ ports, started }: Start, secrets: Secrets): Promise<IdentityProvider> {
  const provider = await startIdentityProvider({
    port: ports.identityProvider,
    publicUrl: localUrl(ports.identityProvider),
    accounts: demoAccounts,
    clients: oauthClients(ports, secrets),
  });
  started.defer(() => provider.stop());
  return provider;
}

async function startServices(
  { ports, directory, steps, abort, started }: Start,
  environments: ServiceEnvironments,
  whenReady: (key: ServiceKey) => void,
): Promise<ChildProgram[]> {
  abort.signal.throwIfAborted();
  const { logs } = directory;
  const children = serviceKeys.map(
    (key) =>
      new ChildProgram({ name: services[key], script: mainOf(key), env: environments.services[key], logs }),
  );
  started.defer(async () => void (await Promise.all(children.map((child) => child.stop()))));
  await together(
    abort,
    children.map((child, index) => {
      const key = serviceKeys[index]!;
      return steps.run(child.name, async () => {
        await untilReady(child, ports[`${key}Management`], abort.signal);
        whenReady(key);
      });
    }),
  );
  return children;
}

/** When something that is never to end by itself does. */
async function whenBroken(server: DatabaseServer, children: ChildProgram[]): Promise<never> {
  throw await Promise.race([
    server.ended.then(() => new StackError(`PostgreSQL at ${server.place} has ended: see its log.`)),
    ...children.map(async (child) => {
      const ending = await child.ended;
      return new StackError(
        `${child.name} has ended with ${ending}; the end of ${child.logFile}:\n${child.logTail()}`,
      );
    }),
  ]);
}
