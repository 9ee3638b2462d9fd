import { writeFileSync } from 'node:fs';
import { Deployment } from './deployment/deployment.ts';
import { tokenFrom } from './deployment/token-command.ts';
import { committedDocument, type ServiceName } from './document/openapi-document.ts';
import { type Options, readOptions, UNUSABLE_EXIT_CODE } from './options.ts';
import { junitXml } from './report/junit.ts';
import { tableEnd, tableLine } from './report/table.ts';
import { holdRules } from './rules/hold-rules.ts';
import { rulesOf } from './rules/rules-of.ts';
import type { Finding } from './rules/rule.ts';
import { Subject } from './rules/subject.ts';
import { Unusable } from './unusable.ts';

try {
  const options = readOptions(process.argv.slice(2));
  const deployment = new Deployment(options.baseUrl);
  const findings = await findingsOf(deployment, options).finally(() => deployment.close());
  console.log(tableEnd(findings));
  if (options.junit !== undefined) writeJunit(options.service, options.junit, findings);
  process.exitCode = findings.some(({ result }) => result === 'broken') ? 1 : 0;
} catch (failure) {
  if (!(failure instanceof Unusable)) throw failure;
  console.error(failure.message);
  process.exitCode = UNUSABLE_EXIT_CODE;
}

async function findingsOf(deployment: Deployment, options: Options): Promise<Finding[]> {
  const { service, tokenCommand, origin, frontendUrl, write } = options;
  const document = committedDocument(service);
  // Whether anything is there at all is asked first: every rule would say the same otherwise.
  await deployment.send({ method: 'GET', path: '/openapi.json', headers: { accept: 'application/json' } });
  const subject = new Subject(deployment, document, {
    write,
    ...(tokenCommand !== undefined && { token: await tokenFrom(tokenCommand) }),
    ...(origin !== undefined && { origin }),
    ...(frontendUrl !== undefined && { frontendUrl }),
  });
  const say = (finding: Finding) => console.log(tableLine(finding));
  if (options.badInput !== undefined) return badInputFindings(deployment, subject, options, say);
  const findings = await holdRules(rulesOf[service], subject, say);
  const documented = subject.documentFindings();
  documented.forEach(say);
  return [...findings, ...documented];
}

async function badInputFindings(
  deployment: Deployment,
  subject: Subject,
  { badInput: casesPerRoute = 1, seed = Date.now() % 1_000_000_000, tokenCommand, write }: Options,
  say: (finding: Finding) => void,
): Promise<Finding[]> {
  // Its generators take longer to load than most runs do without them.
  const { knownValues } = await import('./bad-input/known-values.ts');
  const { sendBadInput } = await import('./bad-input/bad-input.ts');
  const { token, origin, frontendUrl } = subject.options;
  const spareToken = tokenCommand !== undefined && write ? await tokenFrom(tokenCommand) : undefined;
  return sendBadInput(
    deployment,
    subject.document,
    {
      casesPerRoute,
      seed,
      write,
      ...(spareToken !== undefined && { spareToken }),
      seeds: {
        write,
        known: {
          ...(await knownValues(subject)),
          ...(frontendUrl !== undefined && { frontend_url: [frontendUrl], redirect_uri: [frontendUrl] }),
        },
        ...(token !== undefined && { token }),
        ...(origin !== undefined && { origin }),
      },
    },
    say,
  );
}

function writeJunit(service: ServiceName, file: string, findings: Finding[]): void {
  try {
    writeFileSync(file, junitXml(`contract of ${service}`, findings));
  } catch (failure) {
    throw new Unusable(`--junit ${file} cannot be written: ${(failure as Error).message}`);
  }
}
