import { accountFailure } from './failures.ts';

export type Fetch = (request: Request) => Promise<Response>;

/** Sends requests as somebody who has signed in. Share one among the clients of the services. */
export interface Session {
  /**
   * With the credential. An answer of 401 refreshes the session and asks once more; however many requests get one at
   * the same time, they share one refresh.
   *
   * @throws {AccountError} when refreshing failed for another reason than that the session is over
   */
  send: Fetch;
}

export interface SessionTokens {
  access_token: string;
  /** Without it, the session lasts as long as the access token. */
  refresh_token?: string;
}

interface CommonOptions {
  /** The account service's address, such as `https://account.example.com`. */
  accountUrl: string;
  fetch?: Fetch;
  /** Called when the session cannot be refreshed any more: the person has to sign in again. */
  onEnd?: () => void;
}

export interface BearerOptions extends CommonOptions {
  tokens: SessionTokens;
  /** Called with the new ones after each refresh, to keep them. */
  onTokens?: (tokens: SessionTokens) => void;
}

/** What answers 401 about its own input, not about the session. */
const SIGN_IN_PATHS = /\/auth\/(token|refresh|password)\/?$/;

/** A session whose tokens the program holds: on a server, in a command line tool. */
export function bearerSession(options: BearerOptions): Session {
  const { accountUrl, fetch = globalFetch, onTokens } = options;
  let { tokens } = options;
  return refreshingSession({
    ...options,
    prepare: (request) => {
      request.headers.set('authorization', `Bearer ${tokens.access_token}`);
      return request;
    },
    refresh: async () => {
      if (tokens.refresh_token === undefined) return false;
      const response = await fetch(
        new Request(refreshUrl(accountUrl), {
          method: 'POST',
          headers: { accept: 'application/json', 'content-type': 'application/json' },
          body: JSON.stringify({ refresh_token: tokens.refresh_token }),
        }),
      );
      if (!(await wasRefreshed(response))) return false;
      tokens = (await response.json()) as SessionTokens;
      onTokens?.(tokens);
      return true;
    },
  });
}

/** A session in HttpOnly cookies: in a browser, on a page whose origin the services allow. */
export function cookieSession(options: CommonOptions): Session {
  const { accountUrl, fetch = globalFetch } = options;
  return refreshingSession({
    ...options,
    prepare: (request) => {
      // Without JSON in Accept the account service sets cookies instead of answering tokens.
      if (SIGN_IN_PATHS.test(new URL(request.url).pathname)) request.headers.set('accept', '*/*');
      return new Request(request, { credentials: 'include' });
    },
    refresh: async () =>
      wasRefreshed(
        await fetch(
          new Request(refreshUrl(accountUrl), {
            method: 'POST',
            headers: { accept: '*/*' },
            credentials: 'include',
          }),
        ),
      ),
  });
}

interface Refreshing extends CommonOptions {
  prepare: (request: Request) => Request;
  /** @returns whether the session goes on */
  refresh: () => Promise<boolean>;
}

function refreshingSession({ fetch = globalFetch, prepare, refresh, onEnd }: Refreshing): Session {
  let refreshes = 0;
  let underWay: Promise<boolean> | undefined;

  const refreshOnce = () =>
    (underWay ??= refresh()
      .then((goesOn) => {
        if (goesOn) refreshes += 1;
        else onEnd?.();
        return goesOn;
      })
      .finally(() => (underWay = undefined)));

  return {
    async send(request) {
      const again = request.clone();
      const refreshesBefore = refreshes;
      const response = await fetch(prepare(request));
      if (response.status !== 401 || SIGN_IN_PATHS.test(new URL(request.url).pathname)) return response;
      // Somebody else's 401 may have refreshed it while this request was under way.
      if (refreshes === refreshesBefore && !(await refreshOnce())) return response;
      await response.body?.cancel();
      return fetch(prepare(again));
    },
  };
}

/** @throws {AccountError} when it is neither refreshed nor over */
async function wasRefreshed(response: Response): Promise<boolean> {
  if (response.ok) return true;
  if (response.status === 401) return false;
  throw accountFailure(response, await response.json().catch(() => undefined));
}

function refreshUrl(accountUrl: string): string {
  return `${accountUrl.replace(/\/$/, '')}/api/v1/auth/refresh`;
}

const globalFetch: Fetch = (request) => fetch(request);
