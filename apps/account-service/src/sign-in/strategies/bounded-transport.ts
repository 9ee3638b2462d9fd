import { SECOND_MS } from '@gpu-observatory/domain-types';
import type { OAuth2 } from 'oauth';

export const TIMEOUT_SECONDS = 5;
const MAX_RESPONSE_BYTES = 1024 * 1024;

type Callback = (failure: unknown, body?: string, response?: unknown) => void;

/**
 * Replaces the HTTP transport of an OAuth client. The default transport has no timeout and no size limit, and a
 * malformed response crashes the process. This one allows 5 s and 1 MiB per request and follows no redirect; any
 * failure fails only that sign-in.
 */
export function useBoundedTransport(client: OAuth2): void {
  const internals = client as unknown as {
    _customHeaders: Record<string, string>;
    _request(
      method: string,
      url: string,
      headers: Record<string, string>,
      body: string | null,
      accessToken: string | null,
      callback: Callback,
    ): void;
  };
  // Otherwise the Google strategy sends the token in the URL, where logs record it.
  client.useAuthorizationHeaderforGET(true);
  internals._request = (method, url, headers, body, _accessToken, callback) => {
    boundedFetch(url, { method, headers: { ...internals._customHeaders, ...headers }, body: body || null })
      .then(async (response) => {
        const { ok, status: statusCode } = response;
        const data = await response.text();
        if (ok) callback(null, data, { statusCode });
        else callback({ statusCode, data });
      })
      .catch(callback);
  };
}

/** Sends a request to a provider: at most 5 s and 1 MiB, without redirects. */
export async function boundedFetch(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, {
    ...init,
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_SECONDS * SECOND_MS),
  });
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_RESPONSE_BYTES) throw new Error('the response of the provider is larger than 1 MiB');
    chunks.push(chunk);
  }
  const { status, headers } = response;
  const hasNoBody = [204, 205, 304].includes(status);
  return new Response(hasNoBody ? null : Buffer.concat(chunks), { status, headers });
}
