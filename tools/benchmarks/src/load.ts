import { Agent, request } from 'node:http';
import type { Cost } from './costs.ts';

const CONCURRENCY = 16;

/** Asks one service, and reads what its process used. */
export class Load {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY });

  private readonly managementUrl: string;

  constructor(managementUrl: string) {
    this.managementUrl = managementUrl;
  }

  /**
   * Runs an operation 16 at a time, each of them once at least, until the time or its input is over.
   *
   * @param ask is given 0, 1, 2, …; false when there is no more input
   */
  async measure(
    operation: string,
    seconds: number,
    ask: (index: number) => Promise<void> | false,
  ): Promise<Cost> {
    const cpuBefore = await this.cpuSeconds();
    const start = performance.now();
    const deadline = start + seconds * 1000;
    let next = 0;
    let done = 0;
    const worker = async () => {
      do {
        const asked = ask(next++);
        if (asked === false) return;
        await asked;
        done += 1;
      } while (performance.now() < deadline);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
    const elapsedSeconds = (performance.now() - start) / 1000;
    const cpuSeconds = (await this.cpuSeconds()) - cpuBefore;
    return {
      operation,
      perSecond: done / elapsedSeconds,
      cpuMicroseconds: (cpuSeconds / Math.max(1, done)) * 1e6,
    };
  }

  /** @throws Error when the status is another than the expected one: a benchmark of refusals would be worthless */
  send(url: string, method: string, headers: Record<string, string>, body?: object): Promise<string> {
    return new Promise((resolve, reject) => {
      const text = body && JSON.stringify(body);
      const all = {
        accept: 'application/json',
        ...(text !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
        }),
        ...headers,
      };
      const sent = request(url, { method, agent: this.agent, headers: all }, (answer) => {
        let received = '';
        answer.setEncoding('utf8');
        answer.on('data', (part: string) => (received += part));
        answer.on('end', () => {
          if (answer.statusCode === 200 || answer.statusCode === 201) return resolve(received);
          reject(new Error(`${method} ${url} answered ${answer.statusCode}: ${received}`));
        });
      });
      sent.on('error', reject);
      sent.end(text);
    });
  }

  stop(): void {
    this.agent.destroy();
  }

  private async cpuSeconds(): Promise<number> {
    const metrics = await (await fetch(`${this.managementUrl}/metrics`)).text();
    const value = /^process_cpu_seconds_total(?:\{.*\})? ([\d.e+-]+)/m.exec(metrics)?.[1];
    if (value === undefined) throw new Error('the service does not say what CPU time it used');
    return Number(value);
  }
}
