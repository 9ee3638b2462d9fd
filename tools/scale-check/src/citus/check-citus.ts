import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { query } from '@gpu-observatory/embedded-database';
import { startDedicatedServer } from '@gpu-observatory/testing';
import { simulateHistory } from '@gpu-observatory/fleet-simulator';
import { startTokenIssuer } from '@gpu-observatory/identity-provider';
import { runChecks } from '../run-checks.ts';
import { citusChecks, type CitusContext } from './checks.ts';
import { FleetSide } from './fleet-side.ts';
import { TENANTS } from './requests.ts';

export interface CitusOptions {
  /** URL of a superuser on the coordinator. */
  coordinatorUrl: string;
  /** URL of a superuser on an empty database of plain PostgreSQL; default: a temporary server. */
  controlUrl: string | undefined;
  /** Size of the simulated fleet. */
  alerts: number;
  gpus: number;
}

/** An unusable cluster. The message is for the user. */
export class UnusableCluster extends Error {}

/**
 * Runs fleet-api on a Citus cluster and on plain PostgreSQL with the same data, and compares them. Uses the schema `fleet` of
 * both databases, which must not exist, and deletes it at the end.
 *
 * @returns whether all checks passed
 */
export async function checkCitus(
  { coordinatorUrl, controlUrl, alerts, gpus }: CitusOptions,
  signal: AbortSignal,
  log: (line: string) => void,
): Promise<boolean> {
  await checkCluster(coordinatorUrl);
  if (controlUrl !== undefined) await checkEmpty(controlUrl);
  await using started = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'gpu-observatory-citus-'));
  started.defer(() => rm(folder, { recursive: true, force: true }));
  const issuer = await startTokenIssuer();
  started.defer(() => issuer.stop());
  let administratorUrl = controlUrl;
  if (administratorUrl === undefined) {
    log('starting PostgreSQL as the control');
    const server = await startDedicatedServer();
    started.defer(() => server.remove());
    administratorUrl = server.adminUrl;
  }
  const both = { issuer, folder, signal };
  const citus = new FleetSide({
    name: 'citus',
    administratorUrl: coordinatorUrl,
    isDistributed: true,
    ...both,
  });
  const control = new FleetSide({ name: 'control', administratorUrl, isDistributed: false, ...both });
  const sides = [citus, control] as const;
  for (const side of sides) {
    started.defer(async () => void (await side.query('DROP SCHEMA IF EXISTS fleet CASCADE')));
    started.defer(() => side.stop());
    log(`creating the schema on ${side.name}`);
    await side.operate(['database', 'prepare']);
    await side.operate(['migrate']);
  }
  const now = new Date();
  // The simulator assigns hosts to workspaces in turn: with fewer hosts, some customers would have no data.
  const workspaces = TENANTS.flatMap((tenant) => tenant.workspaces).length;
  const hosts = Math.max(workspaces, Math.ceil(gpus / 8));
  const history = [...simulateHistory({ now, tenants: TENANTS, hosts, gpus, alerts })];
  const context: CitusContext = {
    citus,
    control,
    sides,
    history,
    nowMs: now.getTime(),
  };
  return await runChecks(citusChecks, context, signal);
}

/** @throws {UnusableCluster} without Citus and two workers, and with a schema that would be deleted */
async function checkCluster(url: string): Promise<void> {
  const [extension] = await query<{ version: string }>(
    url,
    "SELECT extversion AS version FROM pg_extension WHERE extname = 'citus'",
  );
  if (!extension)
    throw new UnusableCluster('The coordinator has no Citus: run CREATE EXTENSION citus in its database.');
  const nodes = await query(
    url,
    "SELECT FROM pg_dist_node WHERE isactive AND shouldhaveshards AND noderole = 'primary'",
  );
  if (nodes.length < 2)
    throw new UnusableCluster(
      `The cluster has ${nodes.length} active nodes with shards: add workers with citus_add_node; two are needed.`,
    );
  await checkEmpty(url);
}

async function checkEmpty(url: string): Promise<void> {
  const [schema] = await query(url, "SELECT FROM pg_namespace WHERE nspname = 'fleet'");
  if (schema)
    throw new UnusableCluster(
      `The database ${new URL(url).pathname.slice(1)} has a schema fleet, which this check would delete: use an empty database.`,
    );
}
