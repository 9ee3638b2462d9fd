import {
  ChildProgram,
  mainOf,
  type ServiceKey,
  services,
  waitUntilReady,
} from '@gpu-observatory/local-stack';
import { freePort } from '@gpu-observatory/embedded-database';

/** One process of a service. Restarts on the same ports. */
export class Replica {
  readonly service: ServiceKey;
  readonly name: string;
  readonly port: number;
  readonly managementPort: number;
  /** Port of account-service for the other services. */
  readonly internalPort: number;
  private readonly startProgram: () => ChildProgram;
  private program: ChildProgram | undefined;

  private constructor(
    service: ServiceKey,
    number: number,
    [port, managementPort, internalPort]: [number, number, number],
    environment: Record<string, string>,
    logs: string,
  ) {
    this.service = service;
    this.name = `${services[service]}-${number}`;
    this.port = port;
    this.managementPort = managementPort;
    this.internalPort = internalPort;
    const env = {
      ...environment,
      PORT: String(port),
      MANAGEMENT_PORT: String(managementPort),
      ...(service === 'account' && { INTERNAL_PORT: String(internalPort) }),
    };
    this.startProgram = () => new ChildProgram({ name: this.name, script: mainOf(service), env, logs });
  }

  /** @param environment of the service, without the ports of the process */
  static async prepare(
    service: ServiceKey,
    number: number,
    environment: Record<string, string>,
    logs: string,
  ): Promise<Replica> {
    const ports: [number, number, number] = [await freePort(), await freePort(), await freePort()];
    return new Replica(service, number, ports, environment, logs);
  }

  /** Starts the process and waits until it is ready. */
  async start(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.program = this.startProgram();
    await waitUntilReady(this.program, this.managementPort, signal);
  }

  /** Reads `/readyz`. */
  async readiness(): Promise<string> {
    return (await fetch(`http://127.0.0.1:${this.managementPort}/readyz`)).text();
  }

  /** Stops the process with SIGTERM, as Kubernetes does. */
  async stop(): Promise<{ ending: string; milliseconds: number }> {
    const started = performance.now();
    await this.program?.stop(30_000);
    return { ending: (await this.program?.ended) ?? '', milliseconds: performance.now() - started };
  }
}
