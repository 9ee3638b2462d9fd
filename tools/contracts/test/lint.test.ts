import { readFileSync } from 'node:fs';
import { createConfig, lint } from '@redocly/openapi-core';
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';
import { fileURLToPath } from 'node:url';

const documentOf = (service: string) =>
  fileURLToPath(new URL(`../../../apps/${service}/openapi.json`, import.meta.url));

interface Operation {
  operationId: string;
  parameters?: { in: string; name: string; required?: boolean; example?: unknown }[];
  requestBody?: { content: Record<string, { example?: unknown }> };
  responses: Record<string, { content?: Record<string, { example?: unknown }> }>;
}

describe.each(['fleet-api', 'account-service', 'website-api'])('the OpenAPI document of %s', (service) => {
  it('has no finding of redocly lint with the recommended rules', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const findings = await lint({ ref: documentOf(service), config });
    expect(findings.map(({ severity, ruleId, message }) => `${severity} ${ruleId}: ${message}`)).toEqual([]);
  });

  it('has no finding of spectral with its OpenAPI rules', async () => {
    const spectral = new spectralCore.Spectral();
    spectral.setRuleset({ extends: [[spectralRulesets.oas as unknown as RulesetDefinition, 'recommended']] });
    const findings = await spectral.run(readFileSync(documentOf(service), 'utf8'));
    expect(findings.map(({ code, message, path }) => `${code}: ${message} (${path.join('.')})`)).toEqual([]);
  });

  it('has examples of required parameters, bodies and JSON responses for every operation', () => {
    const { paths } = JSON.parse(readFileSync(documentOf(service), 'utf8')) as {
      paths: Record<string, Record<string, Operation>>;
    };
    const operations = Object.values(paths).flatMap((item) => Object.values(item));
    const missing = operations.flatMap(({ operationId, parameters = [], requestBody, responses }) => [
      ...parameters
        .filter(({ required, example }) => required && example === undefined)
        .map(({ name }) => `${operationId}: parameter ${name}`),
      ...Object.values({ ...requestBody?.content })
        .filter(({ example }) => example === undefined)
        .map(() => `${operationId}: body`),
      ...Object.entries(responses)
        .filter(
          ([status, { content = {} }]) =>
            /^2/.test(status) && Object.values(content).some(({ example }) => example === undefined),
        )
        .map(([status]) => `${operationId}: response ${status}`),
    ]);
    expect(operations.length).toBeGreaterThan(5);
    expect(missing).toEqual([]);
  });
});
