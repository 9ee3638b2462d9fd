import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, serverAccount } from '@gpu-observatory/embedded-database';
import { demoAccounts, startIdentityProvider } from '@gpu-observatory/identity-provider';
import { Edge } from './edge.ts';
import { startLoadBalancer } from './load-balancer.ts';
import { startPooler } from './pooler.ts';
import { ownFolder, PostgresServer } from './postgres.ts';
import type { Programs } from './programs.ts';
import { hostnames, operate, ServiceReplica, serviceNames, type ServiceName } from './services.ts';

/** Everything that the checks look at and break. */
export interface Deployment {
  edge: Edge;
  primary: PostgresServer;
  standbys: PostgresServer[];
  replicas: ServiceReplica[];
  /** Runs an operations command of a service, with the rights of its owner. */
  operate: (service: ServiceName, args: string[], input?: string) => Promise<string>;
  stop(): Promise<void>;
}

const REPLICAS = 2;
const STANDBYS = 2;

/**
 * Brings up a small production on this machine: PostgreSQL with standbys, PgBouncer, the services twice each, HAProxy
 * with TLS before them, and an identity provider.
 */
export async function startDeployment(programs: Programs, say: (line: string) => void): Promise<Deployment> {
  await using started = new AsyncDisposableStack();
  const account = serverAccount();
  const folder = await mkdtemp(join(tmpdir(), 'gpu-observatory-scale-'));
  started.defer(() => rm(folder, { recursive: true, force: true }));
  await ownFolder(folder, account);

  say(`PostgreSQL with ${STANDBYS} standbys`);
  const superuserPassword = secret();
  const postgres = async (name: string) =>
    new PostgresServer({ programs, folder, account, superuserPassword }, name, await freePort());
  const primary = await postgres('primary');
  await primary.initialise();
  started.defer(() => primary.stop());
  await primary.start();
  const standbys = await Promise.all(
    Array.from({ length: STANDBYS }, (_, at) => postgres(`standby-${at + 1}`)),
  );
  for (const standby of standbys) {
    await standby.copyFrom(primary);
    started.defer(() => standby.stop());
    await standby.start();
  }

  const ports = { edge: await freePort(), pooler: await freePort(), standbys: await freePort() };
  const inside = { jwks: await freePort(), internal: await freePort() };
  const passwords = Object.fromEntries(
    [
      ...['fleet_owner', 'fleet_api', 'fleet_importer', 'account_owner', 'account_service'],
      ...['website_owner', 'website_api'],
    ].map((role) => [role, secret()]),
  );
  started.defer(
    closing(
      await startPooler({
        program: programs.pgbouncer,
        folder,
        account,
        port: ports.pooler,
        databases: [
          { name: 'reads', port: ports.standbys, database: 'gpu_observatory' },
          { name: 'writes', port: primary.port, database: 'gpu_observatory' },
        ],
        users: passwords,
      }),
    ),
  );

  say('the schemas, and who may sign in');
  await primary.makeDatabase();
  const surroundings = {
    edgePort: ports.edge,
    poolerPort: ports.pooler,
    primaryUrl: primary.url(),
    inside,
    passwords,
    internalCredential: secret(),
    signingKeySecret: secret(),
    clients: {
      github: { clientId: 'github', clientSecret: secret(), redirectUris: [callback(ports.edge, 'github')] },
      google: { clientId: 'google', clientSecret: secret(), redirectUris: [callback(ports.edge, 'google')] },
    },
  };
  const provider = await startIdentityProvider({
    port: 0,
    accounts: demoAccounts,
    clients: surroundings.clients,
  });
  started.defer(() => provider.stop());
  const operations: Deployment['operate'] = (service, args, input) =>
    operate(service, args, surroundings, folder, input);
  for (const service of serviceNames) {
    await operations(service, ['database', 'prepare']);
    await operations(service, ['migrate']);
  }
  await operations('account-service', ['tenants', 'apply', '-f', '-'], TENANTS);

  say(`${REPLICAS} processes of each service, with HAProxy before them`);
  const replicas: ServiceReplica[] = [];
  for (const service of serviceNames)
    for (let number = 1; number <= REPLICAS; number += 1)
      replicas.push(await ServiceReplica.prepare(service, number, surroundings, provider, folder));
  const of = (service: ServiceName) => replicas.filter((replica) => replica.service === service);
  const { server, certificate } = await startLoadBalancer({
    program: programs.haproxy,
    openssl: programs.openssl,
    folder,
    account,
    port: ports.edge,
    backends: serviceNames.map((service) => ({ hostname: hostnames[service], replicas: of(service) })),
    inside: [
      { name: 'account-public', port: inside.jwks, replicas: of('account-service') },
      {
        name: 'account-internal',
        port: inside.internal,
        replicas: of('account-service').map((replica) => ({
          ...replica.address,
          port: replica.internalPort,
        })),
      },
    ],
    standbys: { port: ports.standbys, servers: standbys },
  });
  started.defer(closing(server));
  started.defer(async () => void (await Promise.all(replicas.map((replica) => replica.stop()))));
  // fleet-api is not ready before it has heard from account-service.
  for (const service of ['account-service', 'fleet-api', 'website-api'] as const)
    await Promise.all(of(service).map((replica) => replica.start()));

  const edge = new Edge(ports.edge, certificate);
  started.defer(() => edge.close());
  const all = started.move();
  return { edge, primary, standbys, replicas, operate: operations, stop: () => all.disposeAsync() };
}

const TENANTS = `
customers:
  - slug: acme
    name: Acme
    domains: [acme.example]
    administrators: [ada@acme.example]
    workspaces: [{ slug: research, name: Research, default: true, members: { ada@acme.example: owner } }]
`;

const secret = () => randomBytes(32).toString('hex');
const callback = (port: number, provider: string) =>
  `https://${hostnames['account-service']}:${port}/api/v1/auth/${provider}/callback`;
const closing = (server: { end(signal: NodeJS.Signals): Promise<void> }) => () => server.end('SIGTERM');
