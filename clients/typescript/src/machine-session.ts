import { sendWithRetries } from './attempts.ts';
import { readOAuthError } from './errors.ts';
import type { Fetch, Session } from './sessions.ts';

export interface MachineOptions {
  /** The account service's address, such as `https://account.example.com`. */
  accountUrl: string;
  /** Id of an API key that may read. */
  keyId: number | string;
  /** The API key. */
  key: string;
  fetch?: Fetch;
}

interface Token {
  value: string;
  /** From then on a new one is requested, in ms since the epoch. */
  renewAtMs: number;
}

const TIMEOUT_MS = 30_000;
/** Share of its lifetime for which a token is used. */
const USED_SHARE = 0.9;

/**
 * Creates a session for a program that reads the fleet data API without a user. It exchanges the API key for access tokens
 * (RFC 6749, section 4.4), each for as long as it is valid, and after a 401 once. Concurrent requests share an exchange.
 *
 * `send` throws an `AccountError` when the exchange fails, for example with the code `invalid_client` for a rotated key.
 */
export function machineSession({ accountUrl, keyId, key, fetch = globalFetch }: MachineOptions): Session {
  let token: Token | undefined;
  let pending: Promise<Token> | undefined;

  const exchange = async () => {
    const request = new Request(`${accountUrl.replace(/\/$/, '')}/oauth/token`, {
      method: 'POST',
      headers: { accept: 'application/json', authorization: `Basic ${btoa(`${keyId}:${key}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    const sentAtMs = Date.now();
    const response = await sendWithRetries(fetch, request, { retry: {}, timeoutMs: TIMEOUT_MS });
    if (!response.ok) throw readOAuthError(response, await response.json().catch(() => undefined));
    const body = (await response.json()) as { access_token: string; expires_in: number };
    return { value: body.access_token, renewAtMs: sentAtMs + body.expires_in * 1_000 * USED_SHARE };
  };
  const currentToken = async () => {
    if (token && Date.now() < token.renewAtMs) return token;
    token = await (pending ??= exchange().finally(() => (pending = undefined)));
    return token;
  };
  const sendWith = ({ value }: Token, request: Request) => {
    request.headers.set('authorization', `Bearer ${value}`);
    return fetch(request);
  };

  return {
    async send(request) {
      const repeated = request.clone();
      const used = await currentToken();
      const response = await sendWith(used, request);
      if (response.status !== 401) return response;
      // The token was revoked, for example because the key was rotated. Another request may have replaced it.
      if (token === used) token = undefined;
      await response.body?.cancel();
      return sendWith(await currentToken(), repeated);
    },
  };
}

const globalFetch: Fetch = (request) => fetch(request);
