import { Pool } from 'undici';

const CONCURRENCY = 8;
/** The `Accept-Encoding` of browsers and agents. */
const ACCEPT_ENCODING = 'gzip, deflate, br';
/** Headers that differ per request or that Node sets itself. */
const VARIABLE_HEADERS = new Set(['date', 'connection', 'keep-alive', 'content-length', 'x-request-id']);

/** A response of the website, for byte-wise comparison and replay. */
export interface RecordedResponse {
  path: string;
  etag: string;
  headers: Record<string, string>;
  /** Base64, in the content encoding of the headers. */
  body: string;
}

/** Responses and CPU time of a server in one measured period. */
export interface Slice {
  responses: number;
  seconds: number;
  cpuSeconds: number;
}

/** Sends load to one server and reads the CPU time of its process. */
export class Client {
  private readonly pool: Pool;
  private readonly cpuSeconds: () => Promise<number>;

  constructor(url: string, cpuSeconds: () => Promise<number>) {
    this.pool = new Pool(url, { connections: CONCURRENCY, pipelining: 1 });
    this.cpuSeconds = cpuSeconds;
  }

  /** @throws {Error} unless the response is a 200 in brotli */
  async record(path: string): Promise<RecordedResponse> {
    const request = { path, method: 'GET' as const, headers: { 'accept-encoding': ACCEPT_ENCODING } };
    const { statusCode, headers, body } = await this.pool.request(request);
    const bytes = Buffer.from(await body.arrayBuffer());
    if (statusCode !== 200 || headers['content-encoding'] !== 'br') {
      throw new Error(`${path} returned ${statusCode} in encoding ${String(headers['content-encoding'])}`);
    }
    const recorded = Object.entries(headers)
      .filter(([name]) => !VARIABLE_HEADERS.has(name))
      .map(([name, value]) => [name, String(value)]);
    return {
      path,
      etag: String(headers['etag']),
      headers: Object.fromEntries(recorded) as Record<string, string>,
      body: bytes.toString('base64'),
    };
  }

  /**
   * Sends the same request with 8 concurrent workers and compares each response with the recorded one.
   *
   * @param revalidate whether to send the ETag and expect a 304
   * @throws {Error} when a response differs, because figures of error responses are worthless
   */
  async load(
    expected: RecordedResponse,
    { revalidate, seconds }: { revalidate: boolean; seconds: number },
  ): Promise<Slice> {
    const headers = {
      'accept-encoding': ACCEPT_ENCODING,
      ...(revalidate ? { 'if-none-match': expected.etag } : {}),
    };
    const wanted = revalidate
      ? { status: 304, body: Buffer.alloc(0) }
      : { status: 200, body: Buffer.from(expected.body, 'base64') };
    const cpuBefore = await this.cpuSeconds();
    const started = performance.now();
    let responses = 0;
    const worker = async () => {
      do {
        await this.receive(expected.path, headers, wanted);
        responses += 1;
      } while (performance.now() - started < seconds * 1000);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
    const elapsed = (performance.now() - started) / 1000;
    return { responses, seconds: elapsed, cpuSeconds: (await this.cpuSeconds()) - cpuBefore };
  }

  stop(): Promise<void> {
    return this.pool.destroy();
  }

  private receive(
    path: string,
    headers: Record<string, string>,
    wanted: { status: number; body: Buffer },
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      this.pool.dispatch(
        { path, method: 'GET', headers },
        {
          onConnect: () => undefined,
          onHeaders: (status) => {
            if (status !== wanted.status) reject(new Error(`${path} returned ${status}`));
            return true;
          },
          onData: (chunk) => {
            chunks.push(chunk);
            return true;
          },
          onComplete: () => {
            if (wanted.body.equals(Buffer.concat(chunks))) resolve();
            else reject(new Error(`${path} returned another body than the recorded one`));
          },
          onError: reject,
        },
      );
    });
  }
}
