import { describeDev } from './dev.ts';
import type { SharedStack } from './shared-stack.ts';
import { describeStopping } from './stopping.ts';
import { createSandbox, StackProgram } from './support/stack-program.ts';

const shared = {} as SharedStack;

beforeAll(async () => {
  shared.sandbox = await createSandbox();
  const startedAt = Date.now();
  const fleet = ['--hosts', '6', '--gpus', '12', '--alerts', '60', '--days', '2'];
  shared.program = new StackProgram('main', [...shared.sandbox.flags, ...fleet]);
  await shared.program.waitUntilReady();
  shared.firstStartMs = Date.now() - startedAt;
});

afterAll(async () => {
  shared.program.kill('SIGTERM');
  await shared.program.ended;
  await shared.sandbox.remove();
});

describeDev(shared);
describeStopping(shared);
