import type { RunningService } from '@gpu-observatory/service-runtime';
import { describeRules } from '@gpu-observatory/contracts/mutants';
import { committedContent } from './support/committed-content.ts';
import { ContactFixture, ORIGIN } from './support/contact-fixture.ts';
import { publish } from './support/website.ts';

const fixture = new ContactFixture();
let limited: RunningService;

beforeAll(async () => {
  await fixture.open();
  await publish(fixture.database, await committedContent());
  limited = await fixture.start({ RATE_LIMITS: 'true' });
});
afterAll(async () => {
  await limited.close();
  await fixture.close();
});

describeRules('website', (rule) => ({
  url: rule === 'rate-limit-headers' ? limited.publicUrl : fixture.url,
  options: { origin: ORIGIN, write: true },
}));
