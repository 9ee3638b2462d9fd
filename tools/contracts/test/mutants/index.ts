import { type Deployment, openDeployment } from '../../src/deployment/deployment.ts';
import { committedDocument, type ServiceName } from '../../src/document/openapi-document.ts';
import { Violation } from '../../src/rules/expectations.ts';
import { rulesByService } from '../../src/rules/rules-by-service.ts';
import { Target, type TargetOptions } from '../../src/rules/target.ts';
import { accountMutants } from './account.ts';
import { everyServiceMutants } from './every-service.ts';
import { fleetMutants } from './fleet.ts';
import type { Mutant, MutantsOfRule, TokenMutant } from './mutant.ts';
import { websiteMutants } from './website.ts';

const mutantsByService: Record<ServiceName, Record<string, MutantsOfRule>> = {
  fleet: fleetMutants,
  account: accountMutants,
  website: websiteMutants,
};

/** A running service with data for every rule. */
interface RunningTarget {
  url: string;
  options: TargetOptions;
}

/**
 * Declares the tests of the rules of a service: each rule passes on the service, and fails on mutants of it that break the
 * sentence of this rule.
 *
 * @param target returns the service for a rule; called from `beforeAll` on
 */
export function describeRules(service: ServiceName, target: (rule: string) => RunningTarget): void {
  const document = committedDocument(service);
  const rules = rulesByService[service];
  const deployments = new Map<string, Deployment>();
  afterAll(() => deployments.forEach((deployment) => deployment.close()));

  const targetOf = (rule: string, mutant: Mutant | TokenMutant) => {
    const { url, options } = target(rule);
    const deployment = deployments.get(url) ?? openDeployment(url);
    deployments.set(url, deployment);
    if (typeof mutant === 'object')
      return new Target(deployment, document, { ...options, token: mutant.token(options.token!) });
    return new Target(
      { send: (request) => mutant(request, (sent) => deployment.send(sent)) },
      document,
      options,
    );
  };
  const own = mutantsByService[service];
  const mutants = { ...everyServiceMutants, ...own };

  it('has mutants for each rule and for nothing else', () => {
    const names = rules.map(({ name }) => name);
    expect(names.filter((name) => Object.keys(mutants[name] ?? {}).length === 0)).toEqual([]);
    expect(Object.keys(own).filter((name) => !names.includes(name))).toEqual([]);
  });

  describe.each(rules)('$name', (rule) => {
    it('passes', async () => {
      expect(await rule.check(targetOf(rule.name, (request, send) => send(request)))).not.toBe('');
    });

    for (const [fault, mutant] of Object.entries(mutants[rule.name] ?? {})) {
      it(`fails if the service ${fault}`, async () => {
        await expect(rule.check(targetOf(rule.name, mutant))).rejects.toThrow(Violation);
      });
    }
  });
}
