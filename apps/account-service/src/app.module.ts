import { type DynamicModule, Module, type Provider as NestProvider } from '@nestjs/common';
import { APP_GUARD, APP_PIPE } from '@nestjs/core';
import { type Runtime } from '@gpu-observatory/service-runtime';
import { accountErrors, Database } from '@gpu-observatory/service-runtime/process';
import { Revocations, TokenVerifier } from '@gpu-observatory/token-verification';
import { BearerGuard } from '@gpu-observatory/token-verification/guard';
import { ApiKeysController } from './api-keys/api-keys.controller.ts';
import { ApiKeys } from './api-keys/api-keys.service.ts';
import { AnonymousRejections } from './audit/anonymous-rejections.ts';
import { AuthorizationCodes } from './authorization-codes/authorization-codes.ts';
import { CleanUpTimer } from './clean-up/clean-up-timer.ts';
import { Clock } from './clock/clock.ts';
import { ACCOUNT_CONFIG, type AccountConfig } from './config/account.config.ts';
import { InternalServer } from './internal/internal-server.ts';
import { MeController } from './users/me.controller.ts';
import { PasswordController } from './passwords/password.controller.ts';
import { PasswordSignIn } from './passwords/password-sign-in.ts';
import { AllowedOrigins } from './requests/allowed-origins.ts';
import { RateLimits } from './requests/rate-limits.ts';
import { requestValidation } from './requests/request-validation.ts';
import { LocalRevocationFeed } from './revocations/local-revocation-feed.ts';
import { Encryptor } from './secrets/encryptor.ts';
import { AccessTokens } from './tokens/access-tokens.ts';
import { CookieSessions } from './sessions/cookie-sessions.ts';
import { LogoutController, SIGN_OUT_VERIFIER } from './sessions/logout.controller.ts';
import { RefreshController } from './sessions/refresh.controller.ts';
import { SessionResponses } from './sessions/session-responses.ts';
import { SessionCookies } from './sessions/session-cookies.ts';
import { SessionsController } from './sessions/sessions.controller.ts';
import { Sessions } from './sessions/sessions.service.ts';
import { TokenController } from './sessions/token.controller.ts';
import { FrontendUrls } from './sign-in/frontend-urls.ts';
import { MethodsController } from './sign-in/methods.controller.ts';
import { Providers } from './sign-in/providers/providers.ts';
import { CODE_VERIFIER_PURPOSE, SignInAttempts } from './sign-in/sign-in-attempts.ts';
import { SignInController } from './sign-in/sign-in.controller.ts';
import { JwksController } from './signing-keys/jwks.controller.ts';
import { SigningKeys } from './signing-keys/signing-keys.ts';
import { Admission } from './users/admission.ts';
import { WorkspacesController } from './workspaces/workspaces.controller.ts';

@Module({})
export class AppModule {
  static compose(config: AccountConfig, runtime: Runtime, clock: Clock): DynamicModule {
    return {
      module: AppModule,
      controllers: [
        SignInController,
        PasswordController,
        MethodsController,
        TokenController,
        RefreshController,
        LogoutController,
        SessionsController,
        MeController,
        WorkspacesController,
        ApiKeysController,
        JwksController,
      ],
      providers: createProviders(config, runtime, clock),
    };
  }
}

function createProviders(config: AccountConfig, runtime: Runtime, clock: Clock): NestProvider[] {
  const { database } = runtime;
  const { tokens, frontends } = config;
  const signingKeys = new SigningKeys(database, tokens, clock, runtime);
  const revocationFeed = new LocalRevocationFeed(database, runtime);
  const verification = {
    issuer: tokens.issuer,
    audience: tokens.audience,
    keys: signingKeys.find,
    now: () => clock.now().getTime(),
  };
  const rejections = new AnonymousRejections(database, runtime.logger);
  const verifier = new TokenVerifier({ ...verification, revocations: revocationFeed.revocations });
  const signOutVerifier = new TokenVerifier({ ...verification, revocations: new Revocations() });
  const sessions = new Sessions(database, new AccessTokens(tokens, signingKeys), clock, rejections);
  const allowedOrigins = new AllowedOrigins(config.service.allowedOrigins);
  const sessionCookies = new SessionCookies(frontends.cookieDomain);
  const provideValue = <T>(provide: abstract new (...args: never[]) => T, useValue: T): NestProvider => ({
    provide,
    useValue,
  });
  return [
    { provide: ACCOUNT_CONFIG, useValue: config },
    { provide: APP_PIPE, useValue: requestValidation },
    {
      provide: APP_GUARD,
      useValue: new BearerGuard(verifier, accountErrors.unauthorized, {
        name: sessionCookies.accessName,
        allowedOrigins: config.service.allowedOrigins,
        forbidden: accountErrors.forbidden,
      }),
    },
    provideValue(Database, database),
    provideValue(Clock, clock),
    provideValue(SigningKeys, signingKeys),
    provideValue(LocalRevocationFeed, revocationFeed),
    provideValue(InternalServer, new InternalServer(config, runtime, clock)),
    { provide: SIGN_OUT_VERIFIER, useValue: signOutVerifier },
    provideValue(AnonymousRejections, rejections),
    provideValue(RateLimits, new RateLimits(database, config.rateLimits)),
    provideValue(AllowedOrigins, allowedOrigins),
    provideValue(SessionCookies, sessionCookies),
    provideValue(SessionResponses, new SessionResponses(allowedOrigins, sessionCookies)),
    provideValue(Sessions, sessions),
    provideValue(CookieSessions, new CookieSessions(signOutVerifier, sessionCookies, sessions)),
    provideValue(FrontendUrls, new FrontendUrls(frontends.urls)),
    provideValue(Providers, new Providers(config.providers, tokens.issuer)),
    provideValue(
      SignInAttempts,
      new SignInAttempts(database, new Encryptor(tokens.signingKeySecrets, CODE_VERIFIER_PURPOSE), clock),
    ),
    provideValue(AuthorizationCodes, new AuthorizationCodes(database, clock)),
    provideValue(PasswordSignIn, new PasswordSignIn(database, clock, rejections, config.passwordSignIn)),
    provideValue(Admission, new Admission(database, clock, config.providers.oidc?.domains ?? [])),
    provideValue(ApiKeys, new ApiKeys(database, clock)),
    provideValue(CleanUpTimer, new CleanUpTimer(database, clock, runtime.logger)),
  ];
}
