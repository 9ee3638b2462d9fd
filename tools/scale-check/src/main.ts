import { parseArgs } from 'node:util';
import type { Check } from './checks/check.ts';
import { bothAnswer, limitsAreShared, rollingRestart, signOutReachesAll } from './checks/replicas.ts';
import {
  importsReachStandbys,
  readsComeFromStandbys,
  saysHowFarItLags,
  survivesALostStandby,
} from './checks/standbys.ts';
import { startDeployment } from './deployment.ts';
import { findOrInstallPrograms, MissingPrograms } from './programs.ts';

const checks: Check[] = [
  bothAnswer,
  readsComeFromStandbys,
  importsReachStandbys,
  signOutReachesAll,
  saysHowFarItLags,
  survivesALostStandby,
  rollingRestart,
  limitsAreShared,
];

const usage = `npm run scale-check

Runs two processes of each service behind HAProxy on three hostnames with TLS, on PostgreSQL with two streaming standbys
and PgBouncer in transaction mode, and shows on them that

${checks.map(({ claim }) => `  - ${claim}`).join('\n')}

Needs Debian's postgresql (15 or newer), pgbouncer, haproxy and openssl: root has what is missing installed, others are
told. Takes about two minutes, listens on free ports of 127.0.0.1, and leaves nothing behind.`;

try {
  const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } } });
  if (values.help) process.stdout.write(`${usage}\n`);
  else process.exitCode = (await scaleCheck()) ? 0 : 1;
} catch (error) {
  // What the person has to do, or a fault of ours with its trace.
  process.stderr.write(`${error instanceof MissingPrograms ? error.message : (error as Error).stack}\n`);
  process.exitCode = 1;
}

async function scaleCheck(): Promise<boolean> {
  const programs = findOrInstallPrograms();
  const deployment = await startDeployment(programs, (line) => process.stderr.write(`… ${line}\n`));
  let allHold = true;
  try {
    const context = { ...deployment, tokens: await deployment.edge.signIn('ada@acme.example') };
    for (const { claim, run } of checks) {
      try {
        process.stdout.write(`holds   ${claim}\n        ${await run(context)}\n`);
      } catch (error) {
        allHold = false;
        process.stdout.write(`BROKEN  ${claim}\n        ${(error as Error).message}\n`);
      }
    }
  } finally {
    await deployment.stop();
  }
  return allHold;
}
