import { once } from 'node:events';
import { startConsoleServer } from '@gpu-observatory/console/server';
import {
  demoAccounts,
  type IdentityProvider,
  startIdentityProvider,
} from '@gpu-observatory/identity-provider';
import { clearDataDirectory, mayHaveRunningServer, openDataDirectory } from './data-directory.ts';
import { type DatabaseServer, startEmbeddedServer, useExternalServer } from './databases/database-server.ts';
import { databaseUrls } from './databases/roles.ts';
import { startDemo } from './demo/demo.ts';
import { checkDemoFleet, readDemoFleet } from './demo/demo-fleet.ts';
import { StackError } from './errors.ts';
import type { StackOptions } from './options.ts';
import { ensureCertificate } from './https/certificate.ts';
import { startTlsProxy } from './https/tls-proxy.ts';
import { checkPortsAreFree, localUrl, type Ports, portsFrom, PUBLIC_PARTS, publicUrls } from './ports.ts';
import { ChildProgram } from './processes/child-program.ts';
import { allOrAbort } from './processes/all-or-abort.ts';
import { ensureSecrets, type Secrets } from './secrets.ts';
import { operate } from './services/operate.ts';
import { prepareSchema } from './services/prepare-schema.ts';
import { restartOnRequest } from './services/restart-request.ts';
import {
  oauthClients,
  type ServiceEnvironments,
  serviceEnvironments,
} from './services/service-environments.ts';
import { mainOf, serviceKeys, services } from './services/services.ts';
import { waitUntilReady } from './services/wait-until-ready.ts';
import type { StartContext } from './start-context.ts';
import { describeStack, type StackFile, writeStackFile } from './stack-file.ts';
import { lockDataDirectory } from './stack-lock.ts';
import type { Steps } from './steps.ts';
import { applyTenants } from './tenants/tenants.ts';

const ABANDONED_PORTS_TIMEOUT_MS = 10_000;

export type RunningStack = Awaited<ReturnType<typeof startStack>>;

/**
 * Starts all parts in order of their dependencies. When a part fails or `abort` fires, the started parts are stopped.
 *
 * @param onSignInReady called when users can sign in at the console; the history of the fleet may still be loading
 * @throws {StackError} with instructions, or with the end of the log of the failed part
 */
export async function startStack(
  options: StackOptions,
  steps: Steps,
  abort: AbortController,
  onSignInReady: (stack: StackFile) => void = () => {},
) {
  await using started = new AsyncDisposableStack();
  const ports = portsFrom(options.portBase);
  const publicUrl = publicUrls(ports, options.https);
  const directory = openDataDirectory(options.dataDirectory);
  const { release, abandoned } = lockDataDirectory(directory, publicUrl.console);
  started.defer(release);
  const context: StartContext = { options, ports, directory, steps, abort, started };
  await checkPorts(context, abandoned);
  if (options.reset) await reset(context);

  const secrets = ensureSecrets(directory);
  if (options.https) await startTlsProxies(context);
  const [server, provider] = await allOrAbort(abort, [
    steps.run('PostgreSQL', () => openServer(context, secrets)),
    steps.run('Identity provider', () => openIdentityProvider(context, secrets)),
  ]);
  const urls = databaseUrls(server.administratorUrl, secrets);
  // Before the services start, so that wrong parameters fail within seconds.
  const fleet = options.demo ? await readDemoFleet(urls.administrator) : undefined;
  if (fleet) checkDemoFleet(fleet, options.fleet);
  const environments = serviceEnvironments({
    ports,
    secrets,
    urls,
    provider,
    rateLimits: options.rateLimits,
    https: options.https,
    frontendOrigin: options.frontendOrigin,
  });

  await allOrAbort(
    abort,
    serviceKeys.map((key) =>
      steps.run(`Database schema: ${services[key]}`, () => prepareSchema(key, environments, context)),
    ),
  );
  const servicesReady = startServices(context, environments);
  const customersReady = steps.run('Demo customers', () =>
    applyTenants(environments.operations.account, directory.logs, abort.signal),
  );
  const description = describeStack(ports, urls, options.https ? directory.certificateFile : undefined);
  const [children] = await allOrAbort(abort, [
    servicesReady,
    startDemo(context, environments, urls, description, {
      customers: customersReady,
      services: servicesReady,
    }),
    steps.run('Website content', () => {
      const args = ['content', 'sync', 'apps/website-api/content'];
      return operate('website', args, environments.operations.website, directory.logs, abort.signal);
    }),
    Promise.all([servicesReady, customersReady]).then(() => openConsole(context, description, onSignInReady)),
  ]);
  started.defer(writeStackFile(directory, description));
  started.defer(restartOnRequest(directory.restartFile, children, (line) => steps.print(line)));
  abort.signal.throwIfAborted();

  const running = started.move();
  return {
    description,
    directory,
    /** Rejects when the database server or a service exits unexpectedly. */
    broken: rejectWhenPartExits(server, children),
    /** Stops all parts in reverse order. The data stays. */
    stop: () => running.disposeAsync(),
  };
}

/** @param abandoned waits for the parts of a killed start, which exit by themselves after a moment */
async function checkPorts({ options, ports, directory }: StartContext, abandoned: boolean): Promise<void> {
  const { database, ...rest } = ports;
  const others = Object.fromEntries(
    Object.entries(rest).filter(([name]) => options.https || !name.endsWith('Https')),
  ) as Partial<Ports>;
  // The database server of a killed start is stopped when ours starts.
  const databaseIsFree = options.databaseUrl !== undefined || mayHaveRunningServer(directory);
  await checkPortsAreFree(
    databaseIsFree ? others : { ...others, database },
    abandoned ? ABANDONED_PORTS_TIMEOUT_MS : 0,
  );
}

async function reset({ options, directory, steps }: StartContext): Promise<void> {
  if (options.databaseUrl !== undefined) {
    throw new StackError(
      '--reset deletes only the embedded database: drop the database gpu_observatory yourself, then start without --reset.',
    );
  }
  await steps.run('Delete existing data', () => clearDataDirectory(directory));
  openDataDirectory(directory.path);
}

async function openServer(
  { options, ports, directory, started, abort }: StartContext,
  secrets: Secrets,
): Promise<DatabaseServer> {
  const server =
    options.databaseUrl === undefined
      ? await startEmbeddedServer(directory, ports.database, secrets.superuser_password)
      : await useExternalServer(options.databaseUrl);
  started.defer(() => server.stop());
  abort.signal.throwIfAborted();
  return server;
}

async function startTlsProxies({ ports, directory, started }: StartContext): Promise<void> {
  const certificate = ensureCertificate(directory);
  for (const part of PUBLIC_PARTS) {
    started.defer(await startTlsProxy(ports[`${part}Https`], ports[part], certificate));
  }
}

async function openIdentityProvider(
  { options, ports, started }: StartContext,
  secrets: Secrets,
): Promise<IdentityProvider> {
  const provider = await startIdentityProvider({
    port: ports.identityProvider,
    publicUrl: localUrl(ports.identityProvider),
    accounts: demoAccounts,
    clients: oauthClients(publicUrls(ports, options.https).account, secrets),
  });
  started.defer(() => provider.stop());
  return provider;
}

async function startServices(
  { ports, directory, steps, abort, started }: StartContext,
  environments: ServiceEnvironments,
): Promise<ChildProgram[]> {
  abort.signal.throwIfAborted();
  const { logs } = directory;
  const children = serviceKeys.map(
    (key) =>
      new ChildProgram({ name: services[key], script: mainOf(key), env: environments.services[key], logs }),
  );
  started.defer(async () => void (await Promise.all(children.map((child) => child.stop()))));
  await allOrAbort(
    abort,
    children.map((child, index) => {
      const port = ports[`${serviceKeys[index]!}Management`];
      return steps.run(child.name, () => waitUntilReady(child, port, abort.signal));
    }),
  );
  return children;
}

async function openConsole(
  { ports, started, abort }: StartContext,
  description: StackFile,
  onSignInReady: (stack: StackFile) => void,
): Promise<void> {
  abort.signal.throwIfAborted();
  const server = await startConsoleServer({ host: '127.0.0.1', port: ports.console }, description);
  started.defer(async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  });
  onSignInReady(description);
}

/** Rejects when the database server or a service exits. */
async function rejectWhenPartExits(server: DatabaseServer, children: ChildProgram[]): Promise<never> {
  throw await Promise.race([
    server.ended.then(
      () =>
        new StackError(
          `PostgreSQL at ${server.address} exited: see database/server.log in the data directory.`,
        ),
    ),
    ...children.map(async (child) => {
      const ending = await child.ended;
      return new StackError(
        `${child.name} exited with ${ending}. End of ${child.logFile}:\n${child.logTail()}`,
      );
    }),
  ]);
}
