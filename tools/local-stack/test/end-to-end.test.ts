import { describeContact } from './end-to-end/contact.ts';
import { describeExamplePage } from './end-to-end/example-page-in-browser.ts';
import { describeBentAnswers } from './end-to-end/held/bent-answers.ts';
import { describeContractRuns } from './end-to-end/held/contract-runs.ts';
import { describeTypescriptClient } from './end-to-end/held/typescript-client.ts';
import { describeImport } from './end-to-end/import.ts';
import { describeRunningStack } from './end-to-end/running-stack.ts';
import type { SmallStack } from './end-to-end/small-stack.ts';
import { describeStopping } from './end-to-end/stopping.ts';
import { describeTenants } from './end-to-end/tenants.ts';
import { describeToken } from './end-to-end/token.ts';
import { ownPlace, StackProgram } from './support/stack-process.ts';

const smallFleet = ['--hosts', '6', '--gpus', '12', '--alerts', '60', '--days', '2'];

const small = {} as SmallStack;

beforeAll(async () => {
  small.place = await ownPlace();
  const startedAt = Date.now();
  small.program = new StackProgram('main', [...small.place.flags, ...smallFleet]);
  await small.program.untilReady();
  small.firstStartMs = Date.now() - startedAt;
});

afterAll(async () => {
  small.program.kill('SIGTERM');
  await small.program.ended;
  await small.place.remove();
});

describeRunningStack(small);
describeToken(small);
describeTenants(small);
describeImport(small);
describeContact(small);
describeExamplePage(small);
describeContractRuns(small);
describeBentAnswers(small);
describeTypescriptClient(small);
describeStopping(small);
