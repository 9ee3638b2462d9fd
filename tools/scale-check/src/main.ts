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
import { cleanUpWhenInterrupted } from './interruption.ts';
import { findOrInstallPrograms, MissingPrograms } from './programs.ts';

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
user it lists them. Takes about two minutes, listens on free ports of 127.0.0.1, and deletes its files at the end.`;

try {
  const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } } });
  if (values.help) process.stdout.write(`${usage}\n`);
  else process.exitCode = (await scaleCheck()) ? 0 : 1;
} catch (error) {
  // The message about missing programs is for the user; any other error is a bug and needs its stack.
  process.stderr.write(`${error instanceof MissingPrograms ? error.message : (error as Error).stack}\n`);
  process.exitCode = 1;
}

async function scaleCheck(): Promise<boolean> {
  cleanUpWhenInterrupted();
  const programs = findOrInstallPrograms();
  const deployment = await startDeployment(programs, (line) => process.stderr.write(`… ${line}\n`));
  let allPassed = true;
  try {
    const context = { ...deployment, tokens: await deployment.edge.signIn('ada@acme.example') };
    for (const { claim, run } of checks) {
      try {
        process.stdout.write(`PASS  ${claim}\n      ${await run(context)}\n`);
      } catch (error) {
        allPassed = false;
        process.stdout.write(`FAIL  ${claim}\n      ${(error as Error).message}\n`);
      }
    }
  } finally {
    await deployment.stop();
  }
  return allPassed;
}
