import { Agent, request } from 'undici';
import type { Cost } from '../costs.ts';
import { processCpuSeconds } from '../process-cpu.ts';

const CONCURRENCY = 16;

/** Sends load to a service and reads the CPU time of its process. */
export class Load {
  private readonly agent = new Agent({ connections: CONCURRENCY });

  private readonly managementUrl: string;

  constructor(managementUrl: string) {
    this.managementUrl = managementUrl;
  }

  /**
   * Runs an operation with 16 concurrent workers, at least once each, until the time or the input ends.
   *
   * @param run receives 0, 1, 2, … and returns false when there is no more input
   */
  async measure(
    operation: string,
    seconds: number,
    run: (index: number) => Promise<void> | false,
  ): Promise<Cost> {
    const cpuBefore = await processCpuSeconds(this.managementUrl);
    const start = performance.now();
    const deadline = start + seconds * 1000;
    let next = 0;
    let done = 0;
    const worker = async () => {
      do {
        const running = run(next++);
        if (running === false) return;
        await running;
        done += 1;
      } while (performance.now() < deadline);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
    const elapsedSeconds = (performance.now() - start) / 1000;
    const cpuSeconds = (await processCpuSeconds(this.managementUrl)) - cpuBefore;
    return {
      operation,
      perSecond: done / elapsedSeconds,
      cpuMicroseconds: (cpuSeconds / Math.max(1, done)) * 1e6,
    };
  }

  /** @throws {Error} unless the status is 200 or 201, because figures of error responses are worthless */
  async send(url: string, method: string, headers: Record<string, string>, body?: object): Promise<string> {
    const response = await request(url, {
      method,
      dispatcher: this.agent,
      headers: {
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body ? JSON.stringify(body) : null,
    });
    const received = await response.body.text();
    if (response.statusCode === 200 || response.statusCode === 201) return received;
    throw new Error(`${method} ${url} returned ${response.statusCode}: ${received}`);
  }

  stop(): Promise<void> {
    return this.agent.destroy();
  }
}
