import { parseArgs } from 'node:util';
import type { Check } from './checks/check.ts';
import {
  bothReplicasRespond,
  rateLimitIsShared,
  rollingRestart,
  signOutReachesAll,
} from './checks/replicas.ts';
import {
  importsReachStandbys,
  readsComeFromStandbys,
  readinessReportsLag,
  survivesStandbyFailure,
} from './checks/standbys.ts';
import { startDeployment } from './deployment.ts';
import { checkCitus, UnusableCluster } from './citus/check-citus.ts';
import { citusChecks } from './citus/checks.ts';
import { cleanUpWhenInterrupted } from './interruption.ts';
import { findOrInstallPrograms, MissingPrograms } from './programs.ts';
import { runChecks } from './run-checks.ts';

const checks: Check[] = [
  bothReplicasRespond,
  readsComeFromStandbys,
  importsReachStandbys,
  signOutReachesAll,
  readinessReportsLag,
  survivesStandbyFailure,
  rollingRestart,
  rateLimitIsShared,
];

const usage = `npm run scale-check

Runs two processes of each service behind HAProxy on three hostnames with TLS, on PostgreSQL with two streaming standbys
and PgBouncer in transaction mode, and checks that

${checks.map(({ claim }) => `  - ${claim}`).join('\n')}

Needs Debian's postgresql (15 or newer), pgbouncer, haproxy and openssl. As root it installs missing packages; as another
user it lists them. Takes about two minutes, listens on free ports of 127.0.0.1, and deletes its files at the end.

npm run scale-check -- --citus URL [--control URL] [--alerts N] [--gpus N]

Runs fleet-api on a Citus cluster and on plain PostgreSQL with the same simulated fleet (default 5,000 alerts, 96 GPUs),
and checks that

${citusChecks.map(({ claim }) => `  - ${claim}`).join('\n')}

  --citus URL        a superuser on the coordinator, in an empty database with Citus and at least two nodes
  --control URL      a superuser on an empty database of plain PostgreSQL; by default a temporary server is started`;

try {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', short: 'h' },
      citus: { type: 'string' },
      control: { type: 'string' },
      alerts: { type: 'string', default: '5000' },
      gpus: { type: 'string', default: '96' },
    },
  });
  if (values.help) process.stdout.write(`${usage}\n`);
  else {
    cleanUpWhenInterrupted();
    const passed =
      values.citus === undefined
        ? await scaleCheck()
        : await checkCitus(
            {
              coordinatorUrl: values.citus,
              controlUrl: values.control,
              alerts: Number(values.alerts),
              gpus: Number(values.gpus),
            },
            log,
          );
    process.exitCode = passed ? 0 : 1;
  }
} catch (error) {
  // Messages about missing programs and unusable clusters are for the user; any other error is a bug and needs its stack.
  const isForUser = error instanceof MissingPrograms || error instanceof UnusableCluster;
  process.stderr.write(`${isForUser ? error.message : (error as Error).stack}\n`);
  process.exitCode = 1;
}

function log(line: string): void {
  process.stderr.write(`… ${line}\n`);
}

async function scaleCheck(): Promise<boolean> {
  const programs = findOrInstallPrograms();
  const deployment = await startDeployment(programs, log);
  try {
    return await runChecks(checks, {
      ...deployment,
      tokens: await deployment.edge.signIn('ada@acme.example'),
    });
  } finally {
    await deployment.stop();
  }
}
