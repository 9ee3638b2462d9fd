import { Agent, request } from 'node:http';
import type { Cost } from '../costs.ts';
import { processCpuSeconds } from '../process-cpu.ts';

const CONCURRENCY = 16;

/** Sends load to a service and reads the CPU time of its process. */
export class Load {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY });

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
  send(url: string, method: string, headers: Record<string, string>, body?: object): Promise<string> {
    return new Promise((resolve, reject) => {
      const text = body && JSON.stringify(body);
      const sentHeaders = {
        accept: 'application/json',
        ...(text !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
        }),
        ...headers,
      };
      const outgoing = request(url, { method, agent: this.agent, headers: sentHeaders }, (response) => {
        let received = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (received += chunk));
        response.on('end', () => {
          if (response.statusCode === 200 || response.statusCode === 201) return resolve(received);
          reject(new Error(`${method} ${url} returned ${response.statusCode}: ${received}`));
        });
      });
      outgoing.on('error', reject);
      outgoing.end(text);
    });
  }

  stop(): void {
    this.agent.destroy();
  }
}
