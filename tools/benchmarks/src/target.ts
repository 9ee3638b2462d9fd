import { Pool } from 'undici';

/** Default number of concurrent requests. */
export const CONCURRENCY = 8;
/** Concurrent requests of many polling dashboards. */
export const DASHBOARDS = 64;

export interface TargetResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
  bytes: Buffer;
}

/** A server under load, with the headers of one caller. */
export class Target {
  readonly url: string;
  readonly headers: Record<string, string>;
  private readonly pool: Pool;

  /** @param connections maximum; further requests wait */
  constructor(url: string, headers: Record<string, string>, connections = CONCURRENCY) {
    this.url = url;
    this.pool = new Pool(url, { connections, pipelining: 1 });
    this.headers = headers;
  }

  async get(path: string, headers: Record<string, string> = {}): Promise<TargetResponse> {
    const request = { path, method: 'GET', headers: { ...this.headers, ...headers } } as const;
    const { statusCode: status, headers: received, body } = await this.pool.request(request);
    const bytes = Buffer.from(await body.arrayBuffer());
    return { status, headers: received, body: bytes.toString(), bytes };
  }

  /** @throws {Error} unless the status is 2xx */
  async put(path: string, body: unknown): Promise<void> {
    const headers = { ...this.headers, 'content-type': 'application/json' };
    const response = await this.pool.request({ path, method: 'PUT', headers, body: JSON.stringify(body) });
    const text = await response.body.text();
    if (response.statusCode >= 300) throw new Error(`${path} returned ${response.statusCode}: ${text}`);
  }

  /** @throws {Error} unless the status is 200 */
  async json<Body>(path: string): Promise<Body> {
    const { status, body } = await this.get(path);
    if (status !== 200) throw new Error(`${path} returned ${status}: ${body.slice(0, 500)}`);
    return JSON.parse(body) as Body;
  }

  /**
   * Sends the same request with concurrent workers, at least once each, until the time or the calls are used up.
   *
   * @param expected status and length that each response must have
   * @returns the duration of each request in ms
   */
  async times(
    path: string,
    {
      seconds,
      concurrency = CONCURRENCY,
      maxCalls = Infinity,
    }: { seconds: number; concurrency?: number; maxCalls?: number },
    expected: { status: number; bytes: number; headers?: Record<string, string> },
  ): Promise<number[]> {
    const times: number[] = [];
    const headers = { ...this.headers, ...expected.headers };
    const deadline = performance.now() + seconds * 1000;
    const worker = async () => {
      do {
        const started = performance.now();
        const bytes = await this.receive(path, headers, expected.status);
        times.push(performance.now() - started);
        if (bytes !== expected.bytes) {
          throw new Error(`${path} returned ${bytes} bytes instead of ${expected.bytes}`);
        }
      } while (performance.now() < deadline && times.length < maxCalls);
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
    return times;
  }

  /** Counts bytes without storing them, because the client shares the machine with the server. */
  private receive(path: string, headers: Record<string, string>, status: number): Promise<number> {
    return new Promise((resolve, reject) => {
      let bytes = 0;
      this.pool.dispatch(
        { path, method: 'GET', headers },
        {
          onConnect: () => undefined,
          onHeaders: (received) => {
            if (received !== status) reject(new Error(`${path} returned ${received}`));
            return true;
          },
          onData: (chunk) => {
            bytes += chunk.length;
            return true;
          },
          onComplete: () => resolve(bytes),
          onError: reject,
        },
      );
    });
  }

  async stop(): Promise<void> {
    await this.pool.destroy();
  }
}

/** @throws {Error} for an empty array */
export function quantile(times: number[], fraction: number): number {
  const value = [...times].sort((a, b) => a - b)[Math.floor(times.length * fraction)];
  if (value === undefined) throw new Error('no requests were measured');
  return value;
}

export const median = (times: number[]): number => quantile(times, 0.5);
