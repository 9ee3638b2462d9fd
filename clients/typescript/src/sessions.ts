import { readAccountError } from './errors.ts';
import { Tabs } from './tabs.ts';

export type Fetch = (request: Request) => Promise<Response>;

/** Why a session ended: the refresh was rejected, or the user signed out, possibly in another tab. */
export type SessionEnd = 'expired' | 'signed-out';

/** Sends requests with a user's credential. Share one session among the clients of the services. */
export interface Session {
  /**
   * Sends a request. After a 401 it refreshes the session and repeats the request once. Concurrent requests share one
   * refresh.
   *
   * @throws {AccountError} when the refresh failed for another reason than an ended session
   */
  send: Fetch;
}

/** A session whose tokens are HttpOnly cookies. */
export interface CookieSession extends Session {
  readonly mode: 'cookie';
}

export interface SessionTokens {
  access_token: string;
  /** Without it, the session ends with the access token. */
  refresh_token?: string;
}

interface CommonOptions {
  /** The account service's address, such as `https://account.example.com`. */
  accountUrl: string;
  fetch?: Fetch;
  /** Called once when the session ends: the user has to sign in again. */
  onEnd?: (reason: SessionEnd) => void;
}

export interface BearerOptions extends CommonOptions {
  tokens: SessionTokens;
  /** Called with the new tokens after each refresh, to store them. */
  onTokens?: (tokens: SessionTokens) => void;
}

/** Paths where a 401 concerns the request's own input, not the session. */
const SIGN_IN_PATHS = /\/auth\/(token|refresh|password)\/?$/;
/** Requests that end the session, when they succeed. */
const SIGN_OUTS = /^(POST \/.*auth\/logout|DELETE \/.*\/sessions)\/?$/;

/** Creates a session whose tokens the program keeps: on a server or in a command-line tool. */
export function bearerSession(options: BearerOptions): Session {
  const { accountUrl, fetch = globalFetch, onTokens, onEnd } = options;
  let { tokens } = options;
  return refreshingSession({
    fetch,
    onEnd: (reason) => onEnd?.(reason),
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
      if (!(await isRefreshed(response))) return false;
      tokens = (await response.json()) as SessionTokens;
      onTokens?.(tokens);
      return true;
    },
  });
}

/**
 * Creates a session in HttpOnly cookies: in a browser, on a page whose origin the services allow. The tabs of one
 * browser share a refresh, and a sign-out in one tab ends the session in all.
 */
export function cookieSession(options: CommonOptions): CookieSession {
  const { accountUrl, fetch = globalFetch, onEnd } = options;
  const tabs = new Tabs(accountUrl, (event) => {
    if (event !== 'refreshed') onEnd?.(event);
  });
  const session = refreshingSession({
    fetch,
    onEnd: (reason) => {
      tabs.announce(reason);
      onEnd?.(reason);
    },
    prepare: (request) => {
      // Without application/json in Accept, the account service sets cookies in place of returning tokens.
      if (SIGN_IN_PATHS.test(new URL(request.url).pathname)) request.headers.set('accept', '*/*');
      return new Request(request, { credentials: 'include' });
    },
    refresh: () =>
      tabs.refreshOnce(async () => {
        const response = await fetch(
          new Request(refreshUrl(accountUrl), {
            method: 'POST',
            headers: { accept: '*/*' },
            credentials: 'include',
          }),
        );
        const isActive = await isRefreshed(response);
        if (isActive) tabs.announce('refreshed');
        return isActive;
      }),
  });
  return { ...session, mode: 'cookie' };
}

interface Refreshing {
  fetch: Fetch;
  prepare: (request: Request) => Request;
  /** @returns whether the session is still active */
  refresh: () => Promise<boolean>;
  onEnd: (reason: SessionEnd) => void;
}

function refreshingSession({ fetch, prepare, refresh, onEnd }: Refreshing): Session {
  let refreshes = 0;
  let pending: Promise<boolean> | undefined;

  const refreshOnce = () =>
    (pending ??= refresh()
      .then((isActive) => {
        if (isActive) refreshes += 1;
        else onEnd('expired');
        return isActive;
      })
      .finally(() => (pending = undefined)));

  return {
    async send(request) {
      const { pathname } = new URL(request.url);
      const repeated = request.clone();
      const refreshesBefore = refreshes;
      const response = await fetch(prepare(request));
      if (SIGN_OUTS.test(`${request.method} ${pathname}`) && response.ok) onEnd('signed-out');
      if (response.status !== 401 || SIGN_IN_PATHS.test(pathname)) return response;
      // Another request's 401 may have refreshed the session while this one was in flight.
      if (refreshes === refreshesBefore && !(await refreshOnce())) return response;
      await response.body?.cancel();
      return fetch(prepare(repeated));
    },
  };
}

/** @throws {AccountError} for a status other than success and 401 */
async function isRefreshed(response: Response): Promise<boolean> {
  if (response.ok) return true;
  if (response.status === 401) return false;
  throw readAccountError(response, await response.json().catch(() => undefined));
}

function refreshUrl(accountUrl: string): string {
  return `${accountUrl.replace(/\/$/, '')}/api/v1/auth/refresh`;
}

const globalFetch: Fetch = (request) => fetch(request);
