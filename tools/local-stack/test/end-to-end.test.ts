import { describeContact } from './end-to-end/contact.ts';
import { describeConsole } from './end-to-end/console/console.ts';
import { describeContractRuns } from './end-to-end/contract/contract-runs.ts';
import { describeTypescriptClient } from './end-to-end/contract/typescript-client.ts';
import { describeDocuments } from './end-to-end/documents.ts';
import { describeImport } from './end-to-end/import.ts';
import { describeRunningStack } from './end-to-end/running-stack.ts';
import type { SharedStack } from './end-to-end/shared-stack.ts';
import { describeTenants } from './end-to-end/tenants.ts';
import { describeToken } from './end-to-end/token.ts';
import { createSandbox, StackProgram } from './support/stack-program.ts';

const smallFleet = ['--hosts', '6', '--gpus', '12', '--alerts', '60', '--days', '2'];

const shared = {} as SharedStack;

beforeAll(async () => {
  shared.sandbox = await createSandbox();
  const startedAt = Date.now();
  shared.program = new StackProgram('main', [...shared.sandbox.flags, ...smallFleet]);
  await shared.program.waitUntilReady();
  shared.firstStartMs = Date.now() - startedAt;
});

afterAll(async () => {
  shared.program.kill('SIGTERM');
  const exitCode = await shared.program.ended;
  await shared.sandbox.remove();
  expect(exitCode).toBe(0);
});

describeRunningStack(shared);
describeToken(shared);
describeTenants(shared);
describeImport(shared);
describeContact(shared);
describeDocuments(shared);
describeConsole(shared);
describeContractRuns(shared);
describeTypescriptClient(shared);
