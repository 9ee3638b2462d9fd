import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, query } from '@gpu-observatory/embedded-database';
import { demoAccounts, startIdentityProvider } from '@gpu-observatory/identity-provider';
import {
  applyTenants,
  DATABASE,
  databaseUrls,
  ensureCertificate,
  ensureSecrets,
  oauthClients,
  openDataDirectory,
  operate,
  type Ports,
  portsFrom,
  publicUrls,
  type ServiceKey,
  serviceEnvironments,
  serviceKeys,
  services,
  signIn,
} from '@gpu-observatory/local-stack';
import { type DedicatedServer, PRIMARY_SETTINGS, startDedicatedServer } from '@gpu-observatory/testing';
import { startLoadBalancer } from './load-balancer.ts';
import { startPooler } from './pooler.ts';
import { prepareReplica, type Replica } from './replica.ts';

/** Parts of the deployment that the checks observe and break. */
export type Deployment = Awaited<ReturnType<typeof startDeployment>>;

const REPLICAS = 2;
const STANDBYS = 2;

/**
 * Starts the parts of the local stack with PostgreSQL standbys, PgBouncer, and two processes of each service behind HAProxy
 * with TLS.
 */
export async function startDeployment(signal: AbortSignal, log: (line: string) => void) {
  await using started = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'gpu-observatory-scale-'));
  started.defer(() => rmSync(folder, { recursive: true, force: true }));
  // Root's PgBouncer runs under another account.
  chmodSync(folder, 0o711);
  const directory = openDataDirectory(folder);
  const { logs } = directory;
  const ports = await freePorts();
  const poolerPort = await freePort();
  const standbysPort = await freePort();
  const secrets = ensureSecrets(directory);
  const publicUrl = publicUrls(ports, true);

  log(`starting PostgreSQL with ${STANDBYS} standbys`);
  const primary = await startDedicatedServer(PRIMARY_SETTINGS);
  started.defer(() => primary.remove());
  await query(primary.adminUrl, `CREATE DATABASE ${DATABASE}`);
  const standbys: DedicatedServer[] = [];
  while (standbys.length < STANDBYS) {
    signal.throwIfAborted();
    const standby = await primary.startStandby();
    started.defer(() => standby.remove());
    standbys.push(standby);
  }
  const urls = databaseUrls(Object.assign(new URL(primary.adminUrl), { pathname: DATABASE }).href, secrets);
  const pooled = (url: string, database: string) =>
    Object.assign(new URL(url), { port: poolerPort, pathname: database }).href;
  const { fleet, account, website } = urls.runtimes;
  started.defer(
    await startPooler({
      folder,
      port: poolerPort,
      databases: { reads: standbysPort, writes: portOf(primary) },
      urls: [fleet, account, website],
    }),
  );

  const provider = await startIdentityProvider({
    port: 0,
    accounts: demoAccounts,
    clients: oauthClients(publicUrl.account, secrets),
  });
  started.defer(() => provider.stop());
  const environments = serviceEnvironments({
    ports,
    secrets,
    urls: {
      ...urls,
      runtimes: {
        fleet: pooled(fleet, 'reads'),
        account: pooled(account, 'writes'),
        website: pooled(website, 'writes'),
      },
    },
    provider,
    rateLimits: true,
    https: true,
    frontendOrigin: [],
  });

  log('creating the schemas and the tenants');
  // Without the pooler, because migrations hold a session lock.
  const environmentOf = (key: ServiceKey) => ({
    ...environments.operations[key],
    DATABASE_URL: urls.runtimes[key],
  });
  for (const key of serviceKeys) {
    await operate(key, ['database', 'prepare'], environmentOf(key), logs, signal);
    await operate(key, ['migrate'], environmentOf(key), logs, signal);
  }
  await applyTenants(environments.operations.account, logs, signal);

  log(`starting ${REPLICAS} processes of each service behind HAProxy`);
  const replicas: Replica[] = [];
  for (const key of serviceKeys) {
    const { SHUTDOWN_DRAIN_SECONDS: _ofTheLocalStack, ...common } = environments.services[key];
    const environment = { ...common, DATABASE_NAMED_STATEMENTS: 'false', LOG_LEVEL: 'warn' };
    for (let number = 1; number <= REPLICAS; number += 1)
      replicas.push(await prepareReplica(key, number, environment, logs));
  }
  const replicasOf = (key: ServiceKey) => replicas.filter(({ service }) => service === key);
  const accounts = replicasOf('account');
  const certificate = ensureCertificate(directory);
  started.defer(
    await startLoadBalancer({
      folder,
      certificate: certificate.key + certificate.cert,
      publicPorts: serviceKeys.map((key) => ({
        name: services[key],
        port: ports[`${key}Https`],
        servers: replicasOf(key),
      })),
      internalPorts: [
        { name: 'account-public', port: ports.account, servers: accounts },
        {
          name: 'account-internal',
          port: ports.accountInternal,
          servers: accounts.map((account) => ({ ...account, port: account.internalPort })),
        },
      ],
      standbys: {
        name: 'standbys',
        port: standbysPort,
        servers: standbys.map((standby, index) => ({ name: `standby-${index + 1}`, port: portOf(standby) })),
      },
    }),
  );
  started.defer(async () => void (await Promise.all(replicas.map((replica) => replica.stop()))));
  // fleet-api becomes ready after it has read the revocation feed of account-service.
  for (const key of ['account', 'fleet', 'website'] as const)
    await Promise.all(replicasOf(key).map((replica) => replica.start(signal)));

  const stack = {
    account_url: publicUrl.account,
    accounts: demoAccounts,
    certificate_file: directory.certificateFile,
  };
  const signInToStack = () => signIn(stack, publicUrl.console, 'ada@acme.example', 'github');
  const tokens = await signInToStack();
  const running = started.move();
  return {
    primary,
    standbys,
    replicas,
    /** Fires when the checks are interrupted. */
    signal,
    /** Sends a request through the load balancer. */
    request: (service: ServiceKey, path: string, init?: RequestInit) =>
      fetch(`${publicUrl[service]}${path}`, init),
    /** Signs an administrator of the first customer in. */
    signIn: signInToStack,
    tokens,
    /** Imports records of the first customer into the primary. */
    import: (lines: Iterable<string>) => {
      const owner = ['--customer', '1', '--workspace', '1'];
      const args = [
        'import',
        'ndjson',
        '-',
        ...owner,
        '--rejects',
        join(directory.rejects, 'records.ndjson'),
      ];
      return operate('fleet', args, environmentOf('fleet'), logs, signal, lines);
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function freePorts(): Promise<Ports> {
  const ports = portsFrom(0);
  for (const name of Object.keys(ports) as (keyof Ports)[]) ports[name] = await freePort();
  return ports;
}

const portOf = ({ adminUrl }: DedicatedServer) => Number(new URL(adminUrl).port);
