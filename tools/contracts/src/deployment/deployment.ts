import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { Answer, Request } from './answer.ts';
import { Unusable } from '../unusable.ts';

/** The slowest answer that a service allows itself is a text search's 20 s (decisions, section 2). */
const PATIENCE_MS = 30_000;

/**
 * A running service somewhere. Requests go out by `node:http` as they are: `fetch` would mend paths and headers that
 * are meant to be wrong.
 */
export class Deployment {
  readonly baseUrl: URL;
  private readonly agent: HttpAgent | HttpsAgent;

  constructor(baseUrl: string) {
    this.baseUrl = new URL(baseUrl);
    const options = { keepAlive: true, maxSockets: 16 };
    this.agent = this.baseUrl.protocol === 'https:' ? new HttpsAgent(options) : new HttpAgent(options);
  }

  /** @throws {Unusable} when no answer arrives */
  async send(request: Request): Promise<Answer> {
    try {
      return await this.exchange(request);
    } catch (failure) {
      // A server may close an idle connection just as we use it; a second one tells that from an outage.
      if ((failure as NodeJS.ErrnoException).code === 'ECONNRESET') {
        return this.exchange(request).catch((again: unknown) => this.refuse(request, again));
      }
      return this.refuse(request, failure);
    }
  }

  close(): void {
    this.agent.destroy();
  }

  private refuse({ method, path }: Request, failure: unknown): never {
    const { code, message } = failure as NodeJS.ErrnoException;
    throw new Unusable(
      `${this.baseUrl.origin} does not answer ${method} ${path.slice(0, 120)} (${code ?? message}): is --base-url right, and can it be reached from here?`,
    );
  }

  private exchange({ method, path, headers, body }: Request): Promise<Answer> {
    const { protocol, hostname, port, pathname } = this.baseUrl;
    const prefix = pathname.replace(/\/$/, '');
    return new Promise((resolve, reject) => {
      const outgoing = (protocol === 'https:' ? requestHttps : requestHttp)(
        {
          hostname: hostname.replace(/^\[|\]$/g, ''),
          port,
          agent: this.agent,
          method,
          path: `${prefix}${path}`,
          headers: { ...headers, ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }) },
          timeout: PATIENCE_MS,
        },
        (response) => {
          readBody(response).then(
            (text) =>
              resolve({
                request: { method, path, headers, ...(body !== undefined && { body }) },
                status: response.statusCode ?? 0,
                headers: Object.fromEntries(
                  Object.entries(response.headers).map(([name, value]) => [name, String(value ?? '')]),
                ),
                text,
              }),
            reject,
          );
        },
      );
      outgoing.on('timeout', () =>
        outgoing.destroy(new Error(`nothing arrived within ${PATIENCE_MS / 1000} s`)),
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }
}

async function readBody(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
