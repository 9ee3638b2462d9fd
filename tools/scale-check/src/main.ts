import { constants } from 'node:os';
import { errorMessage } from '@gpu-observatory/local-stack';
import { Command } from 'commander';
import type { Check } from './checks/fleet.ts';
import { bothReplicasRespond, rollingRestart, signOutReachesAll } from './checks/replicas.ts';
import { readsComeFromStandbys, survivesStandbyFailure } from './checks/standbys.ts';
import { startDeployment } from './deployment.ts';
import { checkCitus } from './citus/check-citus.ts';
import { citusChecks } from './citus/checks.ts';
import { Interruption, runChecks } from './run-checks.ts';
import { requirePrograms } from './server.ts';

const checks: Check[] = [
  bothReplicasRespond,
  readsComeFromStandbys,
  signOutReachesAll,
  survivesStandbyFailure,
  rollingRestart,
];
const listOf = (claims: readonly { claim: string }[]) => claims.map(({ claim }) => `- ${claim}`).join('\n');

const { citus } = new Command('npm run scale-check --')
  .description(
    `Runs two processes of each service behind HAProxy with TLS, on PostgreSQL with two standbys and PgBouncer, and checks that
${listOf(checks)}

With --citus, runs fleet-api on a Citus cluster and on plain PostgreSQL, and checks that
${listOf(citusChecks)}

Without --citus, it needs Debian's pgbouncer and haproxy.
It takes about two minutes, listens on free ports of 127.0.0.1, and deletes its files at the end.`,
  )
  .option('--citus <url>', 'superuser on the coordinator, in an empty database with Citus and two nodes')
  .parse()
  .opts<{ citus?: string }>();

const abort = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => abort.abort(new Interruption(signal)));

try {
  await (citus === undefined ? scaleCheck() : checkCitus(citus, abort.signal, log));
} catch (error) {
  const reason: unknown = abort.signal.reason;
  if (reason instanceof Interruption) process.exit(128 + constants.signals[reason.signal]);
  process.stderr.write(`${errorMessage(error)}\n`);
  process.exitCode = 1;
}

function log(line: string): void {
  process.stderr.write(`… ${line}\n`);
}

async function scaleCheck(): Promise<void> {
  requirePrograms(['pgbouncer', 'haproxy']);
  await using deployment = await startDeployment(abort.signal, log);
  await runChecks(checks, deployment, abort.signal);
}
