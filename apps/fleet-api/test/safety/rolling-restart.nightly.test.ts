import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Access } from '@gpu-observatory/domain-types';
import { type AccountStub, startAccountStub } from '../support/account-stub.ts';
import { createFleetDatabase, type FleetDatabase } from '../support/fleet-database.ts';
import { type FleetProcess, startFleetProcess } from '../support/fleet-process.ts';
import { importRecords } from '../support/import-records.ts';
import { alertRecord } from '../support/records.ts';

const RESTARTS = 50;
const CLIENTS = 8;
const EXIT_WITHIN_MS = 15_000;
/** Interval of the readiness checks of a load balancer. */
const CHECK_INTERVAL_MS = 100;
const ACCESS: Access = [{ customer_id: 1, workspace_ids: 'all' }];

interface Replica extends FleetProcess {
  isReady: boolean;
}

let database: FleetDatabase;
let account: AccountStub;
const replicas: Replica[] = [];

beforeAll(async () => {
  database = await createFleetDatabase();
  account = await startAccountStub();
  await importRecords(database.importerUrl, [alertRecord(1), alertRecord(2)]);
});

afterAll(async () => {
  for (const { child } of replicas) child.kill('SIGKILL');
  await account.stop();
  await database.drop();
});

async function startReplica(): Promise<Replica> {
  const started = await startFleetProcess(database, account, { SHUTDOWN_DRAIN_SECONDS: '1' });
  const replica = { ...started, isReady: true };
  replicas.push(replica);
  return replica;
}

async function checkReadiness(replica: Replica): Promise<boolean> {
  replica.isReady = await fetch(`${replica.managementUrl}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  );
  return replica.isReady;
}

function send(port: number, token: string, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port,
      path: '/api/v1/alerts/',
      agent,
      headers: { authorization: `Bearer ${token}` },
    };
    get(options, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    }).on('error', reject);
  });
}

test(`${RESTARTS} rolling restarts under load lose no request`, async () => {
  let [old, other] = await Promise.all([startReplica(), startReplica()]);
  const token = await account.token(ACCESS);
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const statuses = new Map<number | string, number>();
  let running = true;
  // Acts as a load balancer that checks readiness and keeps connections open.
  const watch = async () => {
    while (running) {
      await Promise.all(replicas.map(checkReadiness));
      await sleep(CHECK_INTERVAL_MS);
    }
  };
  const client = async (first: number) => {
    for (let n = first; running; n++) {
      const ready = replicas.filter(({ isReady }) => isReady);
      const replica = ready[n % ready.length];
      if (!replica) throw new Error('no replica is ready');
      const status = await send(replica.port, token, agent).catch((error: Error) => error.message);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  const load = Promise.all([watch(), ...Array.from({ length: CLIENTS }, (_unused, n) => client(n))]);
  const exits: [code: number | null, inTime: boolean][] = [];
  for (let restart = 0; restart < RESTARTS; restart++) {
    const startedAt = performance.now();
    old.child.kill('SIGTERM');
    exits.push([await old.exited, performance.now() - startedAt < EXIT_WITHIN_MS]);
    replicas.splice(replicas.indexOf(old), 1);
    if (restart < RESTARTS - 1) [old, other] = [other, await startReplica()];
  }
  running = false;
  await load;
  agent.destroy();
  process.stdout.write(`restarts: ${JSON.stringify([...statuses])}\n`);
  expect([...statuses.keys()]).toEqual([200]);
  expect(exits).toEqual(Array.from({ length: RESTARTS }, () => [0, true]));
  other.child.kill('SIGTERM');
  await other.exited;
}, 1_200_000);
