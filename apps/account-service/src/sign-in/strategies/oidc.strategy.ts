import { createHmac } from 'node:crypto';
import { HOUR_MS, SECOND_MS } from '@gpu-observatory/domain-types';
import { DependencyUnavailable } from '@gpu-observatory/service-runtime/process';
import type { FastifyRequest } from 'fastify';
import * as client from 'openid-client';
import { Strategy } from 'passport';
import type { OidcConfig } from '../../config/oidc.config.ts';
import type { ConsumedAttempt } from '../sign-in-attempts.ts';
import type { ProviderCallbackQuery } from '../sign-in.dto.ts';
import { describeEmailClaims, lacksEmailClaims, verifiedEmail } from './email-claims.ts';
import { boundedFetch, TIMEOUT_SECONDS } from './bounded-transport.ts';
import {
  EmailNotVerified,
  isSubject,
  pictureUrl,
  plainText,
  ProviderFailed,
  type ProviderIdentity,
} from './provider.ts';
import type { SignInStateStore } from './sign-in-state-store.ts';

const SCOPE = 'openid email profile';
/** Accepted difference between the clocks of the provider and of this service. */
const CLOCK_TOLERANCE_SECONDS = 30;
/** Time for which the metadata of the provider is used. */
const METADATA_TTL_MS = HOUR_MS;

/**
 * Signs in with any OpenID Connect issuer, by discovery (`docs/identity-providers.md#openid-connect`). The ID token must be
 * signed by the issuer and have the nonce of the sign-in and, where configured, an accepted `acr`. The verified address is
 * in the ID token or in userinfo. See
 * docs/decisions/account-service-modules.md#openid-connect-with-a-strategy-of-our-own.
 */
export class OidcStrategy extends Strategy {
  private readonly discover: () => Promise<client.Configuration>;

  constructor(
    private readonly config: OidcConfig,
    private readonly callbackUrl: string,
    private readonly store: SignInStateStore,
  ) {
    super();
    this.discover = cachedDiscovery(config);
  }

  /** Redirects to the provider at the start of a sign-in, and identifies the user at its callback. */
  override authenticate(...[incoming]: Parameters<Strategy['authenticate']>): void {
    const request = incoming as unknown as FastifyRequest;
    const fail = (failure: unknown) => this.error(failure);
    const { signInAttempt: attempt } = request;
    if (attempt) this.identify(request, attempt).then((identity) => this.success(identity), fail);
    else this.authorizationUrl(request).then((url) => this.redirect(url), fail);
  }

  private async authorizationUrl(request: FastifyRequest): Promise<string> {
    const configuration = await this.discover().catch((cause: unknown) => {
      throw new DependencyUnavailable('the OpenID Connect provider', cause);
    });
    const codeVerifier = client.randomPKCECodeVerifier();
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: this.callbackUrl,
      scope: SCOPE,
      state: await this.store.start(request, codeVerifier),
      nonce: nonceOf(codeVerifier),
      code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      ...prompt(configuration, this.config),
      ...(this.config.acrValues.length > 0 && { acr_values: this.config.acrValues.join(' ') }),
    });
    return url.href;
  }

  private async identify(
    request: FastifyRequest,
    { codeVerifier }: ConsumedAttempt,
  ): Promise<ProviderIdentity> {
    const { code, iss: issuer } = request.query as ProviderCallbackQuery;
    const configuration = await this.discover().catch(failed);
    const { idToken, accessToken } = await exchangeCode(configuration, this.callbackUrl, {
      code: String(code),
      codeVerifier,
      issuer,
    }).catch(failed);
    checkIdToken(idToken, this.config);
    const isComplete =
      verifiedEmail(idToken, this.config.trustedDomains) !== undefined || !lacksEmailClaims(idToken);
    const userinfo = isComplete
      ? undefined
      : await readUserinfo(configuration, accessToken, idToken.sub).catch(failed);
    return identityOf(idToken, userinfo, this.config);
  }
}

function failed(cause: unknown): never {
  throw new ProviderFailed('the OpenID Connect provider did not return a valid response', { cause });
}

async function exchangeCode(
  configuration: client.Configuration,
  callbackUrl: string,
  { code, codeVerifier, issuer }: { code: string; codeVerifier: string; issuer: unknown },
): Promise<{ idToken: client.IDToken; accessToken: string }> {
  const response = new URL(callbackUrl);
  response.searchParams.set('code', code);
  // RFC 9207: the library compares it with the issuer.
  if (typeof issuer === 'string') response.searchParams.set('iss', issuer);
  const tokens = await client.authorizationCodeGrant(configuration, response, {
    pkceCodeVerifier: codeVerifier,
    expectedNonce: nonceOf(codeVerifier),
    idTokenExpected: true,
  });
  const idToken = tokens.claims();
  if (!idToken) throw new Error('the response has no ID token');
  return { idToken, accessToken: tokens.access_token };
}

/** Checks what the library does not check. */
function checkIdToken({ sub, iat, acr }: client.IDToken, { acrValues }: OidcConfig): void {
  if (iat > Date.now() / SECOND_MS + CLOCK_TOLERANCE_SECONDS) {
    throw new ProviderFailed('the iat of the ID token is in the future');
  }
  if (acrValues.length > 0 && !acrValues.includes(String(acr))) {
    throw new ProviderFailed('the ID token has no accepted acr');
  }
  if (!isSubject(sub)) throw new ProviderFailed('the ID token has no valid sub');
}

/**
 * Returns the claims of userinfo, where providers put the email address when they issue an access token too. The library
 * compares their `sub` with that of the ID token. Undefined when the provider has no userinfo endpoint.
 */
async function readUserinfo(
  configuration: client.Configuration,
  accessToken: string,
  subject: string,
): Promise<client.UserInfoResponse | undefined> {
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return undefined;
  return client.fetchUserInfo(configuration, accessToken, subject);
}

function identityOf(
  idToken: client.IDToken,
  userinfo: client.UserInfoResponse | undefined,
  { trustedDomains }: OidcConfig,
): ProviderIdentity {
  const email =
    verifiedEmail(idToken, trustedDomains) ?? (userinfo && verifiedEmail(userinfo, trustedDomains));
  if (email === undefined) {
    const ofUserinfo = userinfo ? describeEmailClaims(userinfo) : 'not requested';
    throw new EmailNotVerified(`ID token: ${describeEmailClaims(idToken)}; userinfo: ${ofUserinfo}`);
  }
  const { name, picture }: Record<string, unknown> = { ...userinfo, ...idToken };
  return {
    provider: 'oidc',
    subject: idToken.sub,
    email,
    name: plainText(name, 200),
    avatar: pictureUrl(picture),
  };
}

/** Returns no `prompt` that the metadata excludes: providers reject unknown values. */
function prompt(configuration: client.Configuration, { prompt }: OidcConfig): { prompt?: string } {
  const { prompt_values_supported: supported } = configuration.serverMetadata();
  if (prompt === 'none' || (Array.isArray(supported) && !supported.includes(prompt))) return {};
  return { prompt };
}

/** Derives the nonce from the code verifier, which only this service and the token endpoint of the provider receive. */
function nonceOf(codeVerifier: string): string {
  return createHmac('sha256', codeVerifier).update('nonce').digest('base64url');
}

/** Reads the metadata at the first sign-in, so that the service starts while the provider is unavailable. */
function cachedDiscovery(config: OidcConfig): () => Promise<client.Configuration> {
  let cached: { configuration: Promise<client.Configuration>; expiresAtMs: number } | undefined;
  return () => {
    if (!cached || cached.expiresAtMs <= performance.now()) {
      const entry = { configuration: discover(config), expiresAtMs: performance.now() + METADATA_TTL_MS };
      cached = entry;
      entry.configuration.catch(() => {
        if (cached === entry) cached = undefined;
      });
    }
    return cached.configuration;
  };
}

const fetchBounded: client.CustomFetch = (url, options) => boundedFetch(url, options as RequestInit);

function discover(config: OidcConfig): Promise<client.Configuration> {
  const { issuer, clientId, clientSecret, allowInsecure } = config;
  const metadata = { client_secret: clientSecret, [client.clockTolerance]: CLOCK_TOLERANCE_SECONDS };
  return client.discovery(new URL(issuer), clientId, metadata, clientAuthentication(clientSecret), {
    execute: [
      // Without it the library trusts TLS alone and does not verify the signature of the ID token.
      client.enableNonRepudiationChecks,
      ...(allowInsecure ? [client.allowInsecureRequests] : []),
    ],
    timeout: TIMEOUT_SECONDS,
    [client.customFetch]: fetchBounded,
  });
}

/** Sends the secret in a Basic header if the metadata of the provider does not exclude it, else in the body. */
function clientAuthentication(clientSecret: string): client.ClientAuth {
  const basic = client.ClientSecretBasic(clientSecret);
  const post = client.ClientSecretPost(clientSecret);
  return (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return methods.includes('client_secret_basic') ? basic(server, ...request) : post(server, ...request);
  };
}
