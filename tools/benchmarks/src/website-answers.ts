import { Pool } from 'undici';

const CONCURRENCY = 8;
/** What browsers and agents send: brotli where they can. */
const ACCEPTED_CODINGS = 'gzip, deflate, br';
/** Each request's own, or said by Node itself. */
const NOT_FIXED = new Set(['date', 'connection', 'keep-alive', 'content-length', 'x-request-id']);

/** One answer of the site, exactly. */
export interface FixedAnswer {
  path: string;
  etag: string;
  headers: Record<string, string>;
  /** Base64, in the coding that the headers name. */
  body: string;
}

/** One server that is asked, and what its process used. */
export class Asked {
  private readonly pool: Pool;
  private readonly cpuSeconds: () => Promise<number>;

  constructor(url: string, cpuSeconds: () => Promise<number>) {
    this.pool = new Pool(url, { connections: CONCURRENCY, pipelining: 1 });
    this.cpuSeconds = cpuSeconds;
  }

  /** @throws Error when it is no 200 with a tag, in brotli */
  async answer(path: string): Promise<FixedAnswer> {
    const request = { path, method: 'GET' as const, headers: { 'accept-encoding': ACCEPTED_CODINGS } };
    const { statusCode, headers, body } = await this.pool.request(request);
    const bytes = Buffer.from(await body.arrayBuffer());
    if (statusCode !== 200 || headers['content-encoding'] !== 'br') {
      throw new Error(`${path} answered ${statusCode} with coding ${String(headers['content-encoding'])}`);
    }
    const fixed = Object.entries(headers)
      .filter(([name]) => !NOT_FIXED.has(name))
      .map(([name, value]) => [name, String(value)]);
    const etag = String(headers['etag']);
    return {
      path,
      etag,
      headers: Object.fromEntries(fixed) as Record<string, string>,
      body: bytes.toString('base64'),
    };
  }

  /**
   * Asks for one thing again and again for a while, 8 at a time and each of them once at least, and looks at every answer.
   *
   * @param has whether whoever asks has the answer already, and expects a 304
   * @returns how many answers came, in how much time, and the CPU time that the server's process took for them
   * @throws Error when an answer is another than the one that is expected: a benchmark of refusals would be worthless
   */
  async ask(expected: FixedAnswer, { has, seconds }: { has: boolean; seconds: number }): Promise<Slice> {
    const headers = {
      'accept-encoding': ACCEPTED_CODINGS,
      ...(has ? { 'if-none-match': expected.etag } : {}),
    };
    const wanted = has
      ? { status: 304, body: Buffer.alloc(0) }
      : { status: 200, body: Buffer.from(expected.body, 'base64') };
    const cpuBefore = await this.cpuSeconds();
    const begun = performance.now();
    let answers = 0;
    const worker = async () => {
      do {
        await this.receive(expected.path, headers, wanted);
        answers += 1;
      } while (performance.now() - begun < seconds * 1000);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
    const elapsed = (performance.now() - begun) / 1000;
    return { answers, seconds: elapsed, cpuSeconds: (await this.cpuSeconds()) - cpuBefore };
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
      const parts: Buffer[] = [];
      this.pool.dispatch(
        { path, method: 'GET', headers },
        {
          onConnect: () => undefined,
          onHeaders: (status) => {
            if (status !== wanted.status) reject(new Error(`${path} answered ${status}`));
            return true;
          },
          onData: (part) => {
            parts.push(part);
            return true;
          },
          onComplete: () => {
            if (wanted.body.equals(Buffer.concat(parts))) resolve();
            else reject(new Error(`${path} answered other bytes than before`));
          },
          onError: reject,
        },
      );
    });
  }
}

/** What one server did in a stretch of time. */
export interface Slice {
  answers: number;
  seconds: number;
  cpuSeconds: number;
}

export const together = (slices: Slice[]): Slice => ({
  answers: sum(slices.map(({ answers }) => answers)),
  seconds: sum(slices.map(({ seconds }) => seconds)),
  cpuSeconds: sum(slices.map(({ cpuSeconds }) => cpuSeconds)),
});

const sum = (numbers: number[]): number => numbers.reduce((all, one) => all + one, 0);
