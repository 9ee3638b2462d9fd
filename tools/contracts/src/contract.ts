import { writeFileSync } from 'node:fs';
import { type Deployment, openDeployment } from './deployment/deployment.ts';
import { tokenFrom } from './deployment/token-command.ts';
import { committedDocument } from './document/openapi-document.ts';
import { type Options, readOptions } from './options.ts';
import { junitXml } from './report/junit.ts';
import { tableEnd, tableLine } from './report/table.ts';
import { checkRules, type Finding } from './rules/check-rules.ts';
import { asDocumented } from './rules/every-service/as-documented.ts';
import { rulesByService } from './rules/rules-by-service.ts';
import { Target } from './rules/target.ts';
import { RunError } from './run-error.ts';

/** Differs from the exit code of a failed rule, which is 1. */
const RUN_ERROR_EXIT_CODE = 2;
const CONCURRENT_ROUTES = 4;

/** Runs the command with the arguments of its command line. Returns its exit code. */
export async function contract(
  args: string[],
  { log, error }: Pick<Console, 'log' | 'error'>,
): Promise<number> {
  try {
    const options = readOptions(args);
    const deployment = openDeployment(options.baseUrl);
    const report = (finding: Finding) => log(tableLine(finding));
    const findings = await findingsOf(deployment, options, report).finally(() => deployment.close());
    log(tableEnd(findings));
    writeJunit(options, findings);
    return findings.some(({ result }) => result === 'failed') ? 1 : 0;
  } catch (failure) {
    if (!(failure instanceof RunError)) throw failure;
    error(failure.message);
    return RUN_ERROR_EXIT_CODE;
  }
}

async function findingsOf(
  deployment: Deployment,
  options: Options,
  report: (finding: Finding) => void,
): Promise<Finding[]> {
  const { service, tokenCommand, badInput: casesPerRoute, seed = Date.now() % 1_000_000_000 } = options;
  const document = committedDocument(service);
  // Fails the run at once when the deployment is unreachable. Otherwise each rule would report it.
  await deployment.send({ method: 'GET', path: '/openapi.json', headers: { accept: 'application/json' } });
  const newToken = async () => (tokenCommand === undefined ? undefined : tokenFrom(tokenCommand));
  const target = new Target(deployment, document, { ...options, token: await newToken() });
  if (casesPerRoute === undefined)
    return checkRules([...rulesByService[service], ...asDocumented(target.operations)], target, report);
  // Loaded on demand: fast-check takes longer to load than most other runs take in total.
  const { badInputRules } = await import('./bad-input/bad-input.ts');
  const signOutToken = options.write ? await newToken() : undefined;
  const rules = await badInputRules(target, { casesPerRoute, seed, signOutToken });
  return checkRules(rules, target, report, CONCURRENT_ROUTES);
}

function writeJunit({ junit: file, service }: Options, findings: Finding[]): void {
  if (file === undefined) return;
  try {
    writeFileSync(file, junitXml(`contract of ${service}`, findings));
  } catch (failure) {
    throw new RunError(`Cannot write --junit ${file}: ${(failure as Error).message}`);
  }
}
