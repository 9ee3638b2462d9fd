import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { demoNow, demoTenants } from './demo-tenants.ts';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** Starts the simulator as a process, with the demo tenants. */
export function startSimulator(mode: string, options: object = {}): ChildProcessWithoutNullStreams {
  const simulator = spawn(process.execPath, [main, mode]);
  // A process with an invalid mode exits before it reads its input.
  simulator.stdin.on('error', () => undefined);
  simulator.stdin.end(JSON.stringify({ now: demoNow, tenants: demoTenants, ...options }));
  return simulator;
}
