import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/** A Jest environment without a VM context: tests use the global objects of the worker (see test-runner.mjs). */
export default class WorkerEnvironment {
  // Jest must not replace functions of the worker's process for the rest of its lifetime.
  global = new Proxy(globalThis, {
    get: (target, name) => (name === 'process' ? undefined : target[name]),
  });
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return null;
  }
}
