import {
  checkRules,
  committedDocument,
  rulesByService,
  type ServiceName,
  Target,
} from '@gpu-observatory/contracts';
import { tokenOf } from '../requests.ts';
import type { SharedStack } from '../shared-stack.ts';
import { RULES_WITHOUT_MUTATION, mutations } from './mutations.ts';
import { type Mutation, MutatingDeployment } from './mutating-deployment.ts';

const services: ServiceName[] = ['fleet', 'account', 'website'];

/** Tests the contract rules: each rule must detect its mutation of otherwise correct responses. */
export function describeMutatedResponses(shared: SharedStack): void {
  describe('contract rules', () => {
    let token: string;

    beforeAll(async () => {
      token = await tokenOf(shared, 'ada@acme.example');
    });

    const mutatedTarget = (service: ServiceName, mutation: Mutation) => {
      const { portBase, stack } = shared.sandbox;
      const { fleet_url, account_url, site_url } = stack();
      const deployment = new MutatingDeployment(
        { fleet: fleet_url, account: account_url, website: site_url }[service],
        mutation,
      );
      const origin = `http://localhost:${portBase}`;
      const target = new Target(deployment, committedDocument(service), {
        token,
        origin,
        frontendUrl: origin,
        write: true,
      });
      return { target, close: () => deployment.close() };
    };

    it.each(services)('of %s each have a mutation', (service) => {
      const names = rulesByService[service]
        .map(({ name }) => name)
        .filter((name) => !RULES_WITHOUT_MUTATION.includes(name));
      expect(Object.keys(mutations[service]).sort()).toEqual(names.sort());
    });

    it.each(services)('of %s detect their mutation', async (service) => {
      const missed: string[] = [];
      for (const rule of rulesByService[service]) {
        const mutation = mutations[service][rule.name];
        if (!mutation || (service === 'fleet' && rule.name === 'rate-limit-headers')) continue;
        const { target, close } = mutatedTarget(service, mutation);
        const [finding] = await checkRules([rule], target, () => {});
        close();
        if (finding?.result !== 'failed') missed.push(`${rule.name}: ${finding?.detail}`);
      }
      expect(missed).toEqual([]);
    });

    it.each(services)('validate every response of %s against its OpenAPI document', async (service) => {
      const path = { fleet: '/api/v1/gpus', account: '/api/v1/me', website: '/api/tags' }[service];
      for (const [detail, mutation] of [
        ['status 418 is not documented', (response) => void (response.status = 418)],
        ['content type is "text/html"', (response) => void (response.headers['content-type'] = 'text/html')],
        ['the body is not JSON', (response) => void (response.text = '{')],
        ["the body at / must have required property '", (response) => void (response.text = '{"other":1}')],
      ] satisfies [string, Mutation][]) {
        const { target, close } = mutatedTarget(service, mutation);
        await target.read(path);
        close();
        const failed = target.documentFindings().filter(({ result }) => result === 'failed');
        expect(failed).toEqual([expect.objectContaining({ detail: expect.stringContaining(detail) })]);
      }
    });
  });
}
