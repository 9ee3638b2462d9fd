import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { HttpRequest, HttpResponse } from './http-exchange.ts';
import { RunError } from '../run-error.ts';

/** Above the longest time that a service takes, 20 s for a text search: docs/fleet-api.md#limits. */
const RESPONSE_TIMEOUT_MS = 30_000;

/** A running service. Sends requests with `node:http`, because `fetch` normalizes malformed paths and headers. */
export class Deployment {
  readonly baseUrl: URL;
  private readonly agent: HttpAgent | HttpsAgent;

  constructor(baseUrl: string) {
    this.baseUrl = new URL(baseUrl);
    const options = { keepAlive: true, maxSockets: 16 };
    this.agent = this.baseUrl.protocol === 'https:' ? new HttpsAgent(options) : new HttpAgent(options);
  }

  /** @throws {RunError} when no response arrives */
  async send(request: HttpRequest): Promise<HttpResponse> {
    try {
      return await this.exchange(request);
    } catch (failure) {
      // The server may close an idle connection while it is reused. A second attempt rules that out.
      if ((failure as NodeJS.ErrnoException).code === 'ECONNRESET') {
        return this.exchange(request).catch((again: unknown) => this.reportUnreachable(request, again));
      }
      return this.reportUnreachable(request, failure);
    }
  }

  close(): void {
    this.agent.destroy();
  }

  private reportUnreachable({ method, path }: HttpRequest, failure: unknown): never {
    const { code, message } = failure as NodeJS.ErrnoException;
    throw new RunError(
      `${this.baseUrl.origin} did not respond to ${method} ${path.slice(0, 120)} (${code ?? message}). Check --base-url and the network.`,
    );
  }

  private exchange({ method, path, headers, body }: HttpRequest): Promise<HttpResponse> {
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
          timeout: RESPONSE_TIMEOUT_MS,
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
        outgoing.destroy(new Error(`no data within ${RESPONSE_TIMEOUT_MS / 1000} s`)),
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
