import { Pool } from 'undici';
import type { HttpRequest, HttpResponse } from './http-exchange.ts';
import { RunError } from '../run-error.ts';

/** Above the longest time that a service takes, 20 s for a text search: docs/fleet-api.md#limits. */
const RESPONSE_TIMEOUT_MS = 30_000;
const CONNECTIONS = 16;

/** A running service. Sends requests with undici, because `fetch` normalizes malformed paths and headers. */
export class Deployment {
  readonly baseUrl: URL;
  private readonly pool: Pool;

  constructor(baseUrl: string) {
    this.baseUrl = new URL(baseUrl);
    this.pool = new Pool(this.baseUrl.origin, {
      connections: CONNECTIONS,
      headersTimeout: RESPONSE_TIMEOUT_MS,
      bodyTimeout: RESPONSE_TIMEOUT_MS,
    });
  }

  /** @throws {RunError} when no response arrives */
  async send(request: HttpRequest): Promise<HttpResponse> {
    try {
      // The server may close an idle connection while it is reused. A second attempt rules that out.
      return await this.exchange(request).catch((failure: NodeJS.ErrnoException) => {
        if (failure.code === 'UND_ERR_SOCKET' || failure.code === 'ECONNRESET') return this.exchange(request);
        throw failure;
      });
    } catch (failure) {
      const { code, message } = failure as NodeJS.ErrnoException;
      throw new RunError(
        `${this.baseUrl.origin} did not respond to ${request.method} ${request.path.slice(0, 120)} (${code ?? message}). Check --base-url and the network.`,
      );
    }
  }

  close(): void {
    void this.pool.destroy();
  }

  private async exchange(request: HttpRequest): Promise<HttpResponse> {
    const { method, path, headers, body } = request;
    const prefix = this.baseUrl.pathname.replace(/\/$/, '');
    const response = await this.pool.request({ method, path: prefix + path, headers, body: body ?? null });
    return {
      request,
      status: response.statusCode,
      headers: Object.fromEntries(
        Object.entries(response.headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
      ),
      text: Buffer.from(await response.body.arrayBuffer()).toString('utf8'),
    };
  }
}
