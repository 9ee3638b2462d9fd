import type { StateStore } from 'passport-oauth2';
import passport from 'passport';
import {
  EmailNotVerified,
  type Provider,
  ProviderFailed,
  type ProviderId,
  type ProviderIdentity,
} from './provider.ts';

/** Minimal request for a Passport strategy. */
interface StrategyRequest {
  query: { code?: string };
  /** At the start: stores the PKCE code verifier and returns the state. */
  storeCodeVerifier?: (codeVerifier: string) => Promise<string>;
  /** At the callback: the stored code verifier. */
  codeVerifier?: string;
}

/**
 * `store` of a passport-oauth2 strategy, for state and PKCE. The sign-in stores both itself, because it needs the
 * frontend URL even when the provider reports an error. This store only passes them through.
 */
export const passThroughStore = {
  store(
    request: StrategyRequest,
    codeVerifier: string,
    _state: unknown,
    _meta: unknown,
    done: (failure: unknown, state?: string) => void,
  ): void {
    if (!request.storeCodeVerifier) return done(new Error('the start of a sign-in needs storeCodeVerifier'));
    request.storeCodeVerifier(codeVerifier).then((state) => done(null, state), done);
  },
  verify(
    request: StrategyRequest,
    _state: string,
    _meta: unknown,
    done: (failure: unknown, codeVerifier?: string) => void,
  ): void {
    done(null, request.codeVerifier);
  },
  // The published types lack the PKCE signature of the store.
} as unknown as StateStore;

/** Options that a strategy adds to its authorization URL. */
export interface AuthorizationOptions {
  prompt: string;
}

/** Lets users change the account. Without it, a provider signs in its only account again without a question. */
const AUTHORIZATION: AuthorizationOptions = { prompt: 'select_account' };

/** Creates a provider from a Passport strategy. */
export function passportProvider(id: ProviderId, title: string, strategy: passport.Strategy): Provider {
  return {
    id,
    title,
    authorizationUrl: async (storeCodeVerifier) => {
      const { redirect } = await runStrategy(strategy, { query: {}, storeCodeVerifier });
      if (redirect === undefined) throw new Error(`the ${title} strategy did not redirect`);
      return redirect;
    },
    identify: async (code, codeVerifier) => {
      try {
        const { identity } = await runStrategy(strategy, { query: { code }, codeVerifier });
        if (identity) return identity;
      } catch (failure) {
        if (failure instanceof EmailNotVerified || failure instanceof ProviderFailed) throw failure;
        throw new ProviderFailed(`${title} did not return a valid response`, { cause: failure });
      }
      throw new ProviderFailed(`the ${title} strategy redirected instead of identifying the user`);
    },
  };
}

/**
 * Runs one request through a Passport strategy without Express. Passport responds with `setHeader` and `end`; this
 * function returns what it would have sent.
 *
 * @returns the redirect URL, or the identity that `validate` of the strategy returned
 */
function runStrategy(
  strategy: passport.Strategy,
  request: StrategyRequest,
): Promise<{ redirect?: string; identity?: ProviderIdentity }> {
  return new Promise((resolve, reject) => {
    const headers: Record<string, string> = {};
    const response = {
      statusCode: 200,
      setHeader: (name: string, value: string) => {
        headers[name.toLowerCase()] = value;
      },
      end: () => resolve({ redirect: headers.location ?? '' }),
    };
    const settled = (failure: unknown, identity: ProviderIdentity | false | null, challenge: unknown) => {
      if (failure) reject(failure);
      else if (identity) resolve({ identity });
      else reject(new ProviderFailed('the provider did not accept the code', { cause: challenge }));
    };
    // Passport stores the outcome of a request on the strategy object, so each request needs its own.
    const requestStrategy = Object.create(strategy) as passport.Strategy;
    const handle = passport.authenticate(requestStrategy, { ...AUTHORIZATION, session: false }, settled) as (
      request: StrategyRequest,
      response: object,
      next: (failure?: unknown) => void,
    ) => void;
    handle(request, response, (failure) =>
      reject(failure ?? new Error('the strategy did not handle the request')),
    );
  });
}
