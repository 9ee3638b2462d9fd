import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, serverAccount } from '@gpu-observatory/embedded-database';
import { demoAccounts, startIdentityProvider } from '@gpu-observatory/identity-provider';
import { Edge } from './edge.ts';
import { deleteAtExit } from './interruption.ts';
import { startLoadBalancer } from './load-balancer.ts';
import { startPooler } from './pooler.ts';
import { createOwnedFolder, PostgresServer } from './postgres.ts';
import type { Programs } from './programs.ts';
import { hostnames, operate, ServiceReplica, serviceNames, type ServiceName } from './services.ts';

/** Parts of the deployment that the checks observe and break. */
export interface Deployment {
  edge: Edge;
  primary: PostgresServer;
  standbys: PostgresServer[];
  replicas: ServiceReplica[];
  /** Runs an operations command of a service as the owner of its schema. */
  operate: (service: ServiceName, args: string[], input?: string) => Promise<string>;
  stop(): Promise<void>;
}

const REPLICAS = 2;
const STANDBYS = 2;

/**
 * Starts a deployment on this machine: PostgreSQL with standbys, PgBouncer, two processes of each service behind
 * HAProxy with TLS, and an identity provider.
 */
export async function startDeployment(programs: Programs, log: (line: string) => void): Promise<Deployment> {
  await using started = new AsyncDisposableStack();
  const user = serverAccount();
  const folder = await mkdtemp(join(tmpdir(), 'gpu-observatory-scale-'));
  deleteAtExit(folder);
  started.defer(() => rm(folder, { recursive: true, force: true }));
  await createOwnedFolder(folder, user);

  log(`starting PostgreSQL with ${STANDBYS} standbys`);
  const superuserPassword = secret();
  const postgres = async (name: string) =>
    new PostgresServer({ programs, folder, user, superuserPassword }, name, await freePort());
  const primary = await postgres('primary');
  await primary.initialize();
  started.defer(() => primary.stop());
  await primary.start();
  const standbys = await Promise.all(
    Array.from({ length: STANDBYS }, (_, index) => postgres(`standby-${index + 1}`)),
  );
  for (const standby of standbys) {
    await standby.copyFrom(primary);
    started.defer(() => standby.stop());
    await standby.start();
  }

  const ports = { edge: await freePort(), pooler: await freePort(), standbys: await freePort() };
  const accountPorts = { public: await freePort(), internal: await freePort() };
  const passwords = Object.fromEntries(
    [
      ...['fleet_owner', 'fleet_api', 'fleet_importer', 'account_owner', 'account_service'],
      ...['website_owner', 'website_api'],
    ].map((role) => [role, secret()]),
  );
  started.defer(
    stopping(
      await startPooler({
        program: programs.pgbouncer,
        folder,
        user,
        port: ports.pooler,
        databases: [
          { name: 'reads', port: ports.standbys, database: 'gpu_observatory' },
          { name: 'writes', port: primary.port, database: 'gpu_observatory' },
        ],
        users: passwords,
      }),
    ),
  );

  log('creating the schemas and the tenants');
  await primary.createDatabase();
  const infrastructure = {
    edgePort: ports.edge,
    poolerPort: ports.pooler,
    primaryUrl: primary.url(),
    accountPorts,
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
    clients: infrastructure.clients,
  });
  started.defer(() => provider.stop());
  const runOperation: Deployment['operate'] = (service, args, input) =>
    operate(service, args, infrastructure, folder, input);
  for (const service of serviceNames) {
    await runOperation(service, ['database', 'prepare']);
    await runOperation(service, ['migrate']);
  }
  await runOperation('account-service', ['tenants', 'apply', '-f', '-'], TENANTS);

  log(`starting ${REPLICAS} processes of each service behind HAProxy`);
  const replicas: ServiceReplica[] = [];
  for (const service of serviceNames)
    for (let number = 1; number <= REPLICAS; number += 1)
      replicas.push(await ServiceReplica.prepare(service, number, infrastructure, provider, folder));
  const replicasOf = (service: ServiceName) => replicas.filter((replica) => replica.service === service);
  const { server, certificate } = await startLoadBalancer({
    program: programs.haproxy,
    openssl: programs.openssl,
    folder,
    user,
    port: ports.edge,
    backends: serviceNames.map((service) => ({
      hostname: hostnames[service],
      replicas: replicasOf(service),
    })),
    internalPorts: [
      { name: 'account-public', port: accountPorts.public, replicas: replicasOf('account-service') },
      {
        name: 'account-internal',
        port: accountPorts.internal,
        replicas: replicasOf('account-service').map((replica) => ({
          ...replica.address,
          port: replica.internalPort,
        })),
      },
    ],
    standbys: { port: ports.standbys, servers: standbys },
  });
  started.defer(stopping(server));
  started.defer(async () => void (await Promise.all(replicas.map((replica) => replica.stop()))));
  // fleet-api becomes ready after it has read the revocation feed of account-service.
  for (const service of ['account-service', 'fleet-api', 'website-api'] as const)
    await Promise.all(replicasOf(service).map((replica) => replica.start()));

  const edge = new Edge(ports.edge, certificate);
  started.defer(() => edge.close());
  const running = started.move();
  return { edge, primary, standbys, replicas, operate: runOperation, stop: () => running.disposeAsync() };
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
const stopping = (server: { end(signal: NodeJS.Signals): Promise<void> }) => () => server.end('SIGTERM');
