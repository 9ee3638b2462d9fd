import {
  ChildProgram,
  mainOf,
  type ServiceKey,
  services,
  waitUntilReady,
} from '@gpu-observatory/local-stack';
import { freePort } from '@gpu-observatory/embedded-database';

export type Replica = Awaited<ReturnType<typeof prepareReplica>>;

/**
 * Prepares one process of a service, which starts again on the same ports.
 *
 * @param environment of the service, without the ports of the process
 */
export async function prepareReplica(
  service: ServiceKey,
  number: number,
  environment: Record<string, string>,
  logs: string,
) {
  const name = `${services[service]}-${number}`;
  const port = await freePort();
  const managementPort = await freePort();
  /** Port of account-service for the other services. */
  const internalPort = await freePort();
  const env = {
    ...environment,
    PORT: String(port),
    MANAGEMENT_PORT: String(managementPort),
    INTERNAL_PORT: String(internalPort),
  };
  let program: ChildProgram | undefined;
  return {
    service,
    name,
    port,
    managementPort,
    internalPort,
    /** Starts the process and waits until it is ready. */
    async start(signal: AbortSignal): Promise<void> {
      signal.throwIfAborted();
      program = new ChildProgram({ name, script: mainOf(service), env, logs });
      await waitUntilReady(program, managementPort, signal);
    },
    /** Stops the process with SIGTERM, as Kubernetes does. */
    async stop(): Promise<{ ending: string; milliseconds: number }> {
      const started = performance.now();
      await program?.stop(30_000);
      return { ending: (await program?.ended) ?? '', milliseconds: performance.now() - started };
    },
  };
}
