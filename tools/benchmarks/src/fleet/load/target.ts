import { Pool } from 'undici';

/** How many ask at once. */
export const CONCURRENCY = 8;
/** How many ask where many do: dashboards that poll. */
export const CROWD = 64;

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** A server that is asked as one caller. */
export class Target {
  private readonly pool: Pool;
  private readonly headers: Record<string, string>;

  /** @param connections more wait for one of them */
  constructor(url: string, token: string, connections = CONCURRENCY) {
    this.pool = new Pool(url, { connections, pipelining: 1 });
    this.headers = { authorization: `Bearer ${token}` };
  }

  async get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    const answer = await this.pool.request({
      path,
      method: 'GET',
      headers: { ...this.headers, ...headers },
    });
    return { status: answer.statusCode, headers: answer.headers, body: await answer.body.text() };
  }

  /** @throws Error when it is not a 200 with JSON */
  async json<Body>(path: string): Promise<Body> {
    const { status, body } = await this.get(path);
    if (status !== 200) throw new Error(`${path} answered ${status}: ${body.slice(0, 500)}`);
    return JSON.parse(body) as Body;
  }

  /**
   * Asks for one thing until the time is over, so many at once, each of them once at least.
   *
   * @param expected what each answer must be: one that is not makes the whole measurement worthless
   * @returns the milliseconds that each took
   */
  async times(
    path: string,
    {
      seconds,
      concurrency = CONCURRENCY,
      most = Infinity,
    }: { seconds: number; concurrency?: number; most?: number },
    expected: { status: number; bytes: number; headers?: Record<string, string> },
  ): Promise<number[]> {
    const times: number[] = [];
    const headers = { ...this.headers, ...expected.headers };
    const deadline = performance.now() + seconds * 1000;
    const ask = async () => {
      do {
        const begin = performance.now();
        const bytes = await this.receive(path, headers, expected.status);
        times.push(performance.now() - begin);
        if (bytes !== expected.bytes) {
          throw new Error(`${path} was ${expected.bytes} bytes long, and then ${bytes}`);
        }
      } while (performance.now() < deadline && times.length < most);
    };
    await Promise.all(Array.from({ length: concurrency }, ask));
    return times;
  }

  /** Counts bytes and keeps none: whoever asks shares the machine with who answers. */
  private receive(path: string, headers: Record<string, string>, status: number): Promise<number> {
    return new Promise((resolve, reject) => {
      let bytes = 0;
      this.pool.dispatch(
        { path, method: 'GET', headers },
        {
          onConnect: () => undefined,
          onHeaders: (got) => {
            if (got !== status) reject(new Error(`${path} answered ${got}`));
            return true;
          },
          onData: (part) => {
            bytes += part.length;
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

/** @throws Error for none: a figure of nothing would look like any other */
export function quantile(times: number[], share: number): number {
  const found = [...times].sort((a, b) => a - b)[Math.floor(times.length * share)];
  if (found === undefined) throw new Error('nothing was measured');
  return found;
}

export const median = (times: number[]): number => quantile(times, 0.5);
