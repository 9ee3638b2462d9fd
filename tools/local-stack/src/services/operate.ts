import { runToCompletion } from '../processes/run-to-completion.ts';
import type { Environment } from './service-environments.ts';
import { operationsOf, type ServiceKey, services } from './services.ts';

/**
 * Runs an operations command of a service.
 *
 * @param input lines of its standard input, if it has one
 * @returns its standard output
 * @throws {ProgramError} when it exits with an error; the reason of `signal` when that fires first
 */
export function operate(
  key: ServiceKey,
  args: string[],
  env: Environment,
  logs: string,
  signal: AbortSignal,
  input?: Iterable<string>,
): Promise<string> {
  const name = `${services[key]}-operations`;
  return runToCompletion({ name, script: operationsOf(key), args, env, logs, input }, signal);
}
