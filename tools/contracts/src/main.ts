import { writeFileSync } from 'node:fs';
import { Deployment } from './deployment/deployment.ts';
import { tokenFrom } from './deployment/token-command.ts';
import { committedDocument, type ServiceName } from './document/openapi-document.ts';
import { type Options, readOptions, RUN_ERROR_EXIT_CODE } from './options.ts';
import { junitXml } from './report/junit.ts';
import { tableEnd, tableLine } from './report/table.ts';
import { checkRules } from './rules/check-rules.ts';
import { rulesByService } from './rules/rules-by-service.ts';
import type { Finding } from './rules/rule.ts';
import { Target } from './rules/target.ts';
import { RunError } from './run-error.ts';

try {
  const options = readOptions(process.argv.slice(2));
  const deployment = new Deployment(options.baseUrl);
  const findings = await findingsOf(deployment, options).finally(() => deployment.close());
  console.log(tableEnd(findings));
  if (options.junit !== undefined) writeJunit(options.service, options.junit, findings);
  process.exitCode = findings.some(({ result }) => result === 'failed') ? 1 : 0;
} catch (failure) {
  if (!(failure instanceof RunError)) throw failure;
  console.error(failure.message);
  process.exitCode = RUN_ERROR_EXIT_CODE;
}

async function findingsOf(deployment: Deployment, options: Options): Promise<Finding[]> {
  const { service, tokenCommand, origin, frontendUrl, write } = options;
  const document = committedDocument(service);
  // Fails the run at once when the deployment is unreachable. Otherwise each rule would report it.
  await deployment.send({ method: 'GET', path: '/openapi.json', headers: { accept: 'application/json' } });
  const target = new Target(deployment, document, {
    write,
    ...(tokenCommand !== undefined && { token: await tokenFrom(tokenCommand) }),
    ...(origin !== undefined && { origin }),
    ...(frontendUrl !== undefined && { frontendUrl }),
  });
  const report = (finding: Finding) => console.log(tableLine(finding));
  if (options.badInput !== undefined) return badInputFindings(deployment, target, options, report);
  const findings = await checkRules(rulesByService[service], target, report);
  const documented = target.documentFindings();
  documented.forEach(report);
  return [...findings, ...documented];
}

async function badInputFindings(
  deployment: Deployment,
  target: Target,
  { badInput: casesPerRoute = 1, seed = Date.now() % 1_000_000_000, tokenCommand, write }: Options,
  report: (finding: Finding) => void,
): Promise<Finding[]> {
  // Loaded on demand: fast-check takes longer to load than most other runs take in total.
  const { knownValues } = await import('./bad-input/known-values.ts');
  const { sendBadInput } = await import('./bad-input/bad-input.ts');
  const { token, origin, frontendUrl } = target.options;
  const signOutToken = tokenCommand !== undefined && write ? await tokenFrom(tokenCommand) : undefined;
  return sendBadInput(
    deployment,
    target.document,
    {
      casesPerRoute,
      seed,
      write,
      ...(signOutToken !== undefined && { signOutToken }),
      seeds: {
        write,
        known: {
          ...(await knownValues(target)),
          ...(frontendUrl !== undefined && { frontend_url: [frontendUrl], redirect_uri: [frontendUrl] }),
        },
        ...(token !== undefined && { token }),
        ...(origin !== undefined && { origin }),
      },
    },
    report,
  );
}

function writeJunit(service: ServiceName, file: string, findings: Finding[]): void {
  try {
    writeFileSync(file, junitXml(`contract of ${service}`, findings));
  } catch (failure) {
    throw new RunError(`Cannot write --junit ${file}: ${(failure as Error).message}`);
  }
}
