import { describeApiKeyTokens } from './api-key-tokens.ts';
import { describeContact } from './contact.ts';
import { describeConsole } from './console/console.ts';
import { describeContractRuns } from './contract/contract-runs.ts';
import { describeTypescriptClient } from './contract/typescript-client.ts';
import { describeDocuments } from './documents.ts';
import { describeImport } from './import.ts';
import { describeRunningStack } from './running-stack.ts';
import type { SharedStack } from './shared-stack.ts';
import { describeTenants } from './tenants.ts';
import { describeToken } from './token.ts';
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
describeApiKeyTokens(shared);
describeTenants(shared);
describeImport(shared);
describeContact(shared);
describeDocuments(shared);
describeConsole(shared);
describeContractRuns(shared);
describeTypescriptClient(shared);
