import {
  checkRules,
  committedDocument,
  rulesByService,
  type ServiceName,
  Target,
} from '@gpu-observatory/contracts';
import { tokenOf } from '../requests.ts';
import type { SmallStack } from '../small-stack.ts';
import { ABOUT_THE_TOKEN, bends } from './bends.ts';
import { type Bend, BentDeployment } from './bent-deployment.ts';

const services: ServiceName[] = ['fleet', 'account', 'website'];

/** Every rule is seen to bite: each finds what is bent in answers that hold otherwise. */
export function describeBentAnswers(small: SmallStack): void {
  describe('rules of the contract', () => {
    let token: string;

    beforeAll(async () => {
      token = await tokenOf(small, 'ada@acme.example');
    });

    const subjectOf = (service: ServiceName, bend: Bend) => {
      const { portBase, stack } = small.place;
      const { fleet_url, account_url, site_url } = stack();
      const deployment = new BentDeployment(
        { fleet: fleet_url, account: account_url, website: site_url }[service],
        bend,
      );
      const origin = `http://localhost:${portBase}`;
      const subject = new Target(deployment, committedDocument(service), {
        token,
        origin,
        frontendUrl: origin,
        write: true,
      });
      return { subject, close: () => deployment.close() };
    };

    it.each(services)('of %s each have an answer that breaks them', (service) => {
      const names = rulesByService[service]
        .map(({ name }) => name)
        .filter((name) => !ABOUT_THE_TOKEN.includes(name));
      expect(Object.keys(bends[service]).sort()).toEqual(names.sort());
    });

    it.each(services)('of %s find it', async (service) => {
      const missed: string[] = [];
      for (const rule of rulesByService[service]) {
        const bend = bends[service][rule.name];
        if (!bend || (service === 'fleet' && rule.name === 'rate-limit-headers')) continue;
        const { subject, close } = subjectOf(service, bend);
        const [finding] = await checkRules([rule], subject, () => {});
        close();
        if (finding?.result !== 'failed') missed.push(`${rule.name}: ${finding?.detail}`);
      }
      expect(missed).toEqual([]);
    });

    it.each(services)('hold every answer of %s to its document', async (service) => {
      const path = { fleet: '/api/v1/gpus', account: '/api/v1/me', website: '/api/tags' }[service];
      for (const [fault, bend] of [
        ['status 418 is not documented', (answer) => void (answer.status = 418)],
        ['content type is "text/html"', (answer) => void (answer.headers['content-type'] = 'text/html')],
        ['the body is not JSON', (answer) => void (answer.text = '{')],
        ["the body at / must have required property '", (answer) => void (answer.text = '{"other":1}')],
      ] satisfies [string, Bend][]) {
        const { subject, close } = subjectOf(service, bend);
        await subject.read(path);
        close();
        const broken = subject.documentFindings().filter(({ result }) => result === 'failed');
        expect(broken).toEqual([expect.objectContaining({ detail: expect.stringContaining(fault) })]);
      }
    });
  });
}
