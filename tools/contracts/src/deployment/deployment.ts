import { Pool } from 'undici';
import type { HttpRequest, HttpResponse } from './http-exchange.ts';
import { RunError } from '../run-error.ts';

/** Above the longest time that a service takes, 20 s for a text search: docs/fleet-api.md#limits. */
const RESPONSE_TIMEOUT_MS = 30_000;
const CONNECTIONS = 16;

export type Deployment = ReturnType<typeof openDeployment>;

/** Opens connections to a running service, with undici, because `fetch` normalizes malformed paths and headers. */
export function openDeployment(baseUrl: string) {
  const { origin, pathname } = new URL(baseUrl);
  const pool = new Pool(origin, {
    connections: CONNECTIONS,
    headersTimeout: RESPONSE_TIMEOUT_MS,
    bodyTimeout: RESPONSE_TIMEOUT_MS,
  });
  const exchange = async (request: HttpRequest): Promise<HttpResponse> => {
    const { method, headers, body = null } = request;
    const path = pathname.replace(/\/$/, '') + request.path;
    const response = await pool.request({ method, path, headers, body });
    return {
      request,
      status: response.statusCode,
      headers: Object.fromEntries(
        Object.entries(response.headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
      ),
      text: Buffer.from(await response.body.arrayBuffer()).toString('utf8'),
    };
  };
  return {
    /** @throws {RunError} when no response arrives */
    async send(request: HttpRequest): Promise<HttpResponse> {
      try {
        // The server may close an idle connection while it is reused. A second attempt rules that out.
        return await exchange(request).catch((failure: NodeJS.ErrnoException) => {
          if (failure.code === 'UND_ERR_SOCKET' || failure.code === 'ECONNRESET') return exchange(request);
          throw failure;
        });
      } catch (failure) {
        const { code, message } = failure as NodeJS.ErrnoException;
        throw new RunError(
          `${origin} did not respond to ${request.method} ${request.path.slice(0, 120)} (${code ?? message}). Check --base-url and the network.`,
        );
      }
    },
    close: () => void pool.destroy(),
  };
}
