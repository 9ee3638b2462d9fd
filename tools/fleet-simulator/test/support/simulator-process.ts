import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { demoTenants } from './demo-tenants.ts';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** Starts the simulator as a process, with tenants on its standard input. */
export function startSimulator(
  args: string[],
  tenants: unknown = demoTenants,
): ChildProcessWithoutNullStreams {
  const simulator = spawn(process.execPath, [main, ...args, '--tenants', '-']);
  // A process with invalid arguments exits before it reads its input.
  simulator.stdin.on('error', () => undefined);
  simulator.stdin.end(typeof tenants === 'string' ? tenants : JSON.stringify(tenants));
  return simulator;
}
