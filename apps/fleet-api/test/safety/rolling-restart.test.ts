import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Access } from '@gpu-observatory/domain-types';
import { freePort } from '@gpu-observatory/embedded-database';
import {
  type AccountStandIn,
  INTERNAL_CREDENTIAL,
  startAccountStandIn,
} from '../support/account-stand-in.ts';
import { createFleetDatabase, type FleetDatabase } from '../support/fleet-database.ts';
import { importRecords } from '../support/import-records.ts';
import { alertRecord } from '../support/records.ts';

/** `npm run safety` restarts 50 times. */
const RESTARTS = Number(process.env['RESTARTS'] ?? 1);
const CLIENTS = 8;
const EXIT_WITHIN_MS = 15_000;
/** How often readiness is asked for; the drain is longer than that, however late a look is, as a balancer's is set. */
const LOOK_EVERY_MS = 100;
const ACCESS: Access = [{ customer_id: 1, workspace_ids: 'all' }];
const PROGRAM = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url));

interface Replica {
  child: ChildProcess;
  exited: Promise<number | null>;
  port: number;
  managementPort: number;
  isReady: boolean;
}

let database: FleetDatabase;
let account: AccountStandIn;
const replicas: Replica[] = [];

beforeAll(async () => {
  database = await createFleetDatabase();
  account = await startAccountStandIn();
  await importRecords(database.importerUrl, [alertRecord(1), alertRecord(2)]);
});

afterAll(async () => {
  for (const { child } of replicas) child.kill('SIGKILL');
  await account.stop();
  await database.drop();
});

async function startReplica(): Promise<Replica> {
  const [port, managementPort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, [PROGRAM], {
    env: {
      PATH: process.env.PATH,
      HOST: '127.0.0.1',
      PORT: String(port),
      MANAGEMENT_PORT: String(managementPort),
      LOG_LEVEL: 'warn',
      SHUTDOWN_DRAIN_SECONDS: '4',
      DATABASE_URL: database.apiUrl,
      DATABASE_POOL_SIZE: '5',
      TOKEN_ISSUER: account.url,
      JWKS_URL: `${account.url}/.well-known/jwks.json`,
      ACCOUNT_INTERNAL_URL: account.url,
      INTERNAL_CREDENTIAL,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const replica = { child, exited, port, managementPort, isReady: false };
  replicas.push(replica);
  while (!(await look(replica))) {
    if (child.exitCode !== null) throw new Error('a replica did not start');
    await sleep(50);
  }
  return replica;
}

async function look(replica: Replica): Promise<boolean> {
  replica.isReady = await fetch(`http://127.0.0.1:${replica.managementPort}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  );
  return replica.isReady;
}

function ask(port: number, token: string, agent: Agent): Promise<number> {
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

test(`${RESTARTS} restarts of a replica beside another, under load, lose no request`, async () => {
  let [old, other] = await Promise.all([startReplica(), startReplica()]);
  const token = await account.token(ACCESS);
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const statuses = new Map<number | string, number>();
  let going = true;
  // A balancer: it goes by readiness, and keeps its connections.
  const watch = async () => {
    while (going) {
      await Promise.all(replicas.map(look));
      await sleep(LOOK_EVERY_MS);
    }
  };
  const client = async (first: number) => {
    for (let n = first; going; n++) {
      const ready = replicas.filter(({ isReady }) => isReady);
      const replica = ready[n % ready.length];
      if (!replica) throw new Error('no replica is ready');
      const status = await ask(replica.port, token, agent).catch((failure: Error) => failure.message);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  const load = Promise.all([watch(), ...Array.from({ length: CLIENTS }, (_unused, n) => client(n))]);
  const exits: [code: number | null, inTime: boolean][] = [];
  for (let restart = 0; restart < RESTARTS; restart++) {
    const begun = performance.now();
    old.child.kill('SIGTERM');
    exits.push([await old.exited, performance.now() - begun < EXIT_WITHIN_MS]);
    replicas.splice(replicas.indexOf(old), 1);
    if (restart < RESTARTS - 1) [old, other] = [other, await startReplica()];
  }
  going = false;
  await load;
  agent.destroy();
  if (process.env['RESTARTS'] !== undefined)
    process.stdout.write(`restarts: ${JSON.stringify([...statuses])}\n`);
  expect([...statuses.keys()]).toEqual([200]);
  expect(exits).toEqual(Array.from({ length: RESTARTS }, () => [0, true]));
  other.child.kill('SIGTERM');
  await other.exited;
}, 1_200_000);
