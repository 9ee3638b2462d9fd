import { runToEnd } from '../processes/run-to-end.ts';
import type { ServiceEnvironments } from './service-environments.ts';
import { operationsOf, type ServiceKey, services } from './services.ts';

/** Brings a service's roles and schema to the state that this version needs. */
export async function prepareSchema(
  key: ServiceKey,
  { operations }: ServiceEnvironments,
  logs: string,
  signal: AbortSignal,
): Promise<void> {
  const command = {
    name: `${services[key]}-operations`,
    script: operationsOf(key),
    env: operations[key],
    logs,
  };
  await runToEnd({ ...command, args: ['database', 'prepare'] }, signal);
  await runToEnd({ ...command, args: ['migrate'] }, signal);
}
