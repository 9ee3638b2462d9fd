import type { OAuth2 } from 'oauth';

const TIMEOUT_MS = 5_000;
const MAX_ANSWER_BYTES = 1024 * 1024;

type Callback = (failure: unknown, body?: string, response?: unknown) => void;

/**
 * Replaces how a strategy's OAuth client speaks HTTP. Its own way waits forever for a provider that hangs, reads
 * without end, and an answer that its parser chokes on ends the process. Here each request has 5 s and 1 MiB, follows
 * no redirect, and whatever goes wrong fails that one sign-in.
 */
export function boundTransport(client: OAuth2): void {
  const own = client as unknown as {
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
  // Google's strategy would put the token into the address otherwise, where logs keep it.
  client.useAuthorizationHeaderforGET(true);
  own._request = (method, url, headers, body, _accessToken, callback) => {
    exchange(url, { method, headers: { ...own._customHeaders, ...headers }, body: body || null })
      .then(({ status, text }) => {
        if (status >= 200 && status < 300) callback(null, text, { statusCode: status });
        else callback({ statusCode: status, data: text });
      }, callback)
      .catch(callback);
  };
}

async function exchange(url: string, init: RequestInit): Promise<{ status: number; text: string }> {
  const response = await fetch(url, {
    ...init,
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_ANSWER_BYTES) throw new Error('the provider’s answer is too long');
    text += decoder.decode(chunk, { stream: true });
  }
  return { status: response.status, text: text + decoder.decode() };
}
