import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { query } from '@gpu-observatory/embedded-database';
import { startDedicatedServer } from '@gpu-observatory/testing';
import { simulateHistory } from '@gpu-observatory/fleet-simulator';
import { startTokenIssuer } from '@gpu-observatory/identity-provider';
import { StackError } from '@gpu-observatory/local-stack';
import { runChecks } from '../run-checks.ts';
import { citusChecks, type CitusContext } from './checks.ts';
import { prepareSide } from './fleet-side.ts';
import { TENANTS } from './requests.ts';

/** Size of the simulated fleet: at least a host for each workspace, because the simulator assigns them in turn. */
const FLEET = { hosts: 12, gpus: 96, alerts: 5_000 };

/**
 * Runs fleet-api on a Citus cluster and on plain PostgreSQL with the same data, and compares them. Creates the schema `fleet`
 * in the cluster, and deletes it at the end.
 *
 * @param coordinatorUrl URL of a superuser on the coordinator
 */
export async function checkCitus(
  coordinatorUrl: string,
  signal: AbortSignal,
  log: (line: string) => void,
): Promise<void> {
  await checkCluster(coordinatorUrl);
  await using started = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'gpu-observatory-citus-'));
  started.defer(() => rm(folder, { recursive: true, force: true }));
  const issuer = await startTokenIssuer();
  started.defer(() => issuer.stop());
  log('starting PostgreSQL as the control');
  const server = await startDedicatedServer();
  started.defer(() => server.remove());
  const options = { issuer, folder, signal };
  const citus = await prepareSide('citus', coordinatorUrl, options);
  const control = await prepareSide('control', server.adminUrl, options);
  started.defer(async () => void (await citus.query('DROP SCHEMA IF EXISTS fleet CASCADE')));
  for (const each of [citus, control]) {
    started.defer(async () => void (await each.stop()));
    log(`creating the schema on ${each.name}`);
    await each.operate(['database', 'prepare']);
    await each.operate(['migrate']);
  }
  const now = new Date();
  const history = [...simulateHistory({ now, tenants: TENANTS, ...FLEET })];
  const context: CitusContext = { sides: [citus, control], history, nowMs: now.getTime() };
  await runChecks(citusChecks, context, signal);
}

/** @throws {StackError} without Citus and two workers, or with a schema that would be deleted */
async function checkCluster(url: string): Promise<void> {
  const [extension] = await query<{ version: string }>(
    url,
    "SELECT extversion AS version FROM pg_extension WHERE extname = 'citus'",
  );
  if (!extension)
    throw new StackError('The coordinator has no Citus: run CREATE EXTENSION citus in its database.');
  const nodes = await query(
    url,
    "SELECT FROM pg_dist_node WHERE isactive AND shouldhaveshards AND noderole = 'primary'",
  );
  if (nodes.length < 2)
    throw new StackError(
      `The cluster has ${nodes.length} active nodes with shards: add workers with citus_add_node; two are needed.`,
    );
  const [schema] = await query(url, "SELECT FROM pg_namespace WHERE nspname = 'fleet'");
  if (schema)
    throw new StackError(
      `The database ${new URL(url).pathname.slice(1)} has a schema fleet, which this check would delete: use an empty database.`,
    );
}
