import { Strategy as GithubStrategy } from 'passport-github2';
import { Strategy as GoogleStrategy } from 'passport-google-oauth20';
import { signInWithoutBrowser, type IdentityProvider } from '../../src/index.ts';
import { callbackOrigin, callbackUrl, clients, type ProviderName } from './test-provider.ts';

/** The fields of a Passport profile that the tests read. */
export interface Profile {
  provider: string;
  id: string;
  username?: string;
  displayName: string;
  emails?: Record<string, unknown>[];
  photos?: { value: string }[];
  _json: Record<string, unknown>;
}

/** Signs in with the real Passport strategy, with PKCE and state, like a server with a session. */
export async function passportSignIn(
  provider: IdentityProvider,
  providerName: ProviderName,
  email: string,
): Promise<Profile> {
  const session = {};
  const start = await run(provider, providerName, { session });
  if (!(start instanceof URL)) throw new Error('The strategy did not begin with a redirect to the provider.');

  const callback = await signInWithoutBrowser(start, email, { frontendOrigin: callbackOrigin });
  const end = await run(provider, providerName, {
    session,
    query: Object.fromEntries(callback.searchParams),
  });
  if (end instanceof URL) throw new Error(`The strategy redirected again: ${end.href}`);
  return end;
}

/** Sends one request through the strategy. Resolves to a redirect or a profile; rejects on failure. */
function run(
  provider: IdentityProvider,
  providerName: ProviderName,
  request: object,
): Promise<URL | Profile> {
  return new Promise((resolve, reject) => {
    const verify = (_access: string, _refresh: string, profile: unknown, done: Verified) =>
      done(null, profile as Profile);
    const strategy =
      providerName === 'github' ? githubStrategy(provider, verify) : googleStrategy(provider, verify);
    // Passport adds these callbacks to a strategy for each request.
    Object.assign(strategy, {
      redirect: (location: string) => resolve(new URL(location)),
      success: resolve,
      fail: (challenge: object) => reject(new Error(`The strategy failed: ${JSON.stringify(challenge)}`)),
      error: reject,
    });
    strategy.authenticate(request as Parameters<typeof strategy.authenticate>[0], {});
  });
}

type Verified = (error: null, user: Profile) => void;
type Verify = (access: string, refresh: string, profile: unknown, done: Verified) => void;

// With `state` and `pkce`, the strategies store a new state and verifier in the session.
function githubStrategy({ github }: IdentityProvider, verify: Verify) {
  const options = {
    clientID: clients.github.clientId,
    clientSecret: clients.github.clientSecret,
    callbackURL: callbackUrl,
    authorizationURL: github.authorizationUrl,
    tokenURL: github.tokenUrl,
    userProfileURL: github.userUrl,
    userEmailURL: github.emailsUrl,
    scope: ['read:user', 'user:email'],
    allRawEmails: true,
    state: 'fresh',
    pkce: true,
  };
  return new GithubStrategy(options, verify as never);
}

function googleStrategy({ google }: IdentityProvider, verify: Verify) {
  const options = {
    clientID: clients.google.clientId,
    clientSecret: clients.google.clientSecret,
    callbackURL: callbackUrl,
    authorizationURL: google.authorizationUrl,
    tokenURL: google.tokenUrl,
    userProfileURL: google.userInfoUrl,
    scope: ['email', 'profile'],
    state: 'fresh',
    pkce: true,
  };
  return new GoogleStrategy(options, verify as never);
}
