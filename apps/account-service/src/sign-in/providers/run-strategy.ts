import type { StateStore } from 'passport-oauth2';
import passport from 'passport';
import {
  EmailNotVerified,
  type Provider,
  ProviderFailed,
  type ProviderId,
  type ProviderIdentity,
} from './provider.ts';

/** What our strategies take for a request: they need no more of one, and no session. */
interface StrategyRequest {
  query: { code?: string };
  /** At the start: keeps the PKCE code verifier and answers the state. */
  remember?: (codeVerifier: string) => Promise<string>;
  /** At the callback: what was kept. */
  codeVerifier?: string;
}

/**
 * The `store` of a passport-oauth2 strategy, for state and PKCE. The sign-in itself looks after both (it must know where
 * to send the browser even when the provider reports an error), so this only hands them through.
 */
export const handedThrough = {
  store(
    request: StrategyRequest,
    codeVerifier: string,
    _state: unknown,
    _meta: unknown,
    done: (failure: unknown, state?: string) => void,
  ): void {
    if (!request.remember) return done(new Error('a sign-in starts without a way to remember it'));
    request.remember(codeVerifier).then((state) => done(null, state), done);
  },
  verify(
    request: StrategyRequest,
    _state: string,
    _meta: unknown,
    done: (failure: unknown, codeVerifier?: string) => void,
  ): void {
    done(null, request.codeVerifier);
  },
  // The published types know the store without PKCE only.
} as unknown as StateStore;

/** A provider that a Passport strategy speaks to. */
export function providerOf(id: ProviderId, title: string, strategy: passport.Strategy): Provider {
  return {
    id,
    title,
    authorizationUrl: async (remember) => {
      const { redirect } = await runStrategy(strategy, { query: {}, remember });
      if (redirect === undefined) throw new Error(`${title}'s strategy did not begin with a redirect`);
      return redirect;
    },
    identify: async (code, codeVerifier) => {
      try {
        const { identity } = await runStrategy(strategy, { query: { code }, codeVerifier });
        if (identity) return identity;
      } catch (failure) {
        if (failure instanceof EmailNotVerified || failure instanceof ProviderFailed) throw failure;
        throw new ProviderFailed(`${title} did not answer as it should`, { cause: failure });
      }
      throw new ProviderFailed(`${title}'s strategy began anew`);
    },
  };
}

/**
 * Runs one request through a Passport strategy, without Express: Passport wants to answer by `setHeader` and `end`, and
 * what it would have answered is what comes back.
 *
 * @returns the address it would redirect to, or the identity that its `validate` made of the profile
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
    // Passport hangs this request's outcome on the strategy it is given: one of its own, or another request gets it.
    const ofThisRequest = Object.create(strategy) as passport.Strategy;
    const handle = passport.authenticate(ofThisRequest, { session: false }, settled) as (
      request: StrategyRequest,
      response: object,
      next: (failure?: unknown) => void,
    ) => void;
    handle(request, response, (failure) => reject(failure ?? new Error('the strategy passed')));
  });
}
