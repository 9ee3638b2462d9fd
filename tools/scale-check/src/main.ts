import { parseArgs } from 'node:util';
import { constants } from 'node:os';
import { errorMessage } from '@gpu-observatory/local-stack';
import type { Check } from './checks/fleet.ts';
import { bothReplicasRespond, rollingRestart, signOutReachesAll } from './checks/replicas.ts';
import { readsComeFromStandbys, survivesStandbyFailure } from './checks/standbys.ts';
import { startDeployment } from './deployment.ts';
import { checkCitus } from './citus/check-citus.ts';
import { citusChecks } from './citus/checks.ts';
import { runChecks } from './run-checks.ts';
import { requirePrograms } from './server.ts';

const checks: Check[] = [
  bothReplicasRespond,
  readsComeFromStandbys,
  signOutReachesAll,
  survivesStandbyFailure,
  rollingRestart,
];

const usage = `npm run scale-check

Runs two processes of each service behind HAProxy with TLS, on PostgreSQL with two streaming standbys
and PgBouncer in transaction mode, and checks that

${checks.map(({ claim }) => `  - ${claim}`).join('\n')}

Needs Debian's pgbouncer and haproxy. Takes about two minutes, listens on free ports of 127.0.0.1, and deletes its files at the end.

npm run scale-check -- --citus URL

Runs fleet-api on a Citus cluster and on plain PostgreSQL with the same simulated fleet,
and checks that

${citusChecks.map(({ claim }) => `  - ${claim}`).join('\n')}

  --citus URL        a superuser on the coordinator, in an empty database with Citus and at least two nodes`;

const abort = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => abort.abort(signal));

try {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', short: 'h' },
      citus: { type: 'string' },
    },
  });
  if (values.help) process.stdout.write(`${usage}\n`);
  else {
    const passed =
      values.citus === undefined ? await scaleCheck() : await checkCitus(values.citus, abort.signal, log);
    process.exitCode = passed ? 0 : 1;
  }
} catch (error) {
  if (abort.signal.aborted) process.exit(128 + constants.signals[abort.signal.reason as NodeJS.Signals]);
  process.stderr.write(`${errorMessage(error)}\n`);
  process.exitCode = 1;
}

function log(line: string): void {
  process.stderr.write(`… ${line}\n`);
}

async function scaleCheck(): Promise<boolean> {
  requirePrograms(['pgbouncer', 'haproxy']);
  await using deployment = await startDeployment(abort.signal, log);
  return await runChecks(checks, deployment, abort.signal);
}
