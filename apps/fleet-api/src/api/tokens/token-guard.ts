import type { OnModuleDestroy } from '@nestjs/common';
import { fleetErrors } from '@gpu-observatory/error-envelopes';
import type { Runtime } from '@gpu-observatory/service-runtime';
import {
  type AccessCookie,
  accessCookieName,
  BearerGuard,
  httpRevocationSource,
  remoteSigningKeys,
  RevocationFeed,
  TokenVerifier,
} from '@gpu-observatory/token-verification';
import type { FleetConfig } from '../../config/fleet.config.ts';

/**
 * The guard of every route: tokens of account-service, in the bearer header or in the access cookie, checked with its keys
 * and against its revocation feed.
 */
export class TokenGuard extends BearerGuard implements OnModuleDestroy {
  private constructor(
    verifier: TokenVerifier,
    cookie: AccessCookie,
    private readonly stopFollowing: () => void,
  ) {
    super(verifier, fleetErrors.unauthorized, cookie);
  }

  /** Begins to follow account-service; resolves whether or not it answers. */
  static async start(
    { tokens: config, service }: Pick<FleetConfig, 'tokens' | 'service'>,
    { logger, readiness, metrics }: Runtime,
  ): Promise<TokenGuard> {
    const signingKeys = remoteSigningKeys(config.jwksUrl);
    const feed = new RevocationFeed(
      httpRevocationSource(config.accountInternalUrl, config.internalCredential),
      (failure) => logger.warn({ err: failure }, 'the revocation feed is out of reach'),
    );
    readiness.register('signing-keys', () => signingKeys.unavailableReason);
    readiness.register('revocation-feed', () => feed.unavailableReason);
    metrics.gauge(
      'revocation_feed_age_seconds',
      'Time since the revocation feed was last heard.',
      () => feed.ageSeconds,
    );
    signingKeys.start();
    await feed.start();
    const verifier = new TokenVerifier({
      issuer: config.issuer,
      audience: config.audience,
      keys: signingKeys.keys,
      revocations: feed.revocations,
    });
    const cookie = {
      name: accessCookieName(config.cookieDomain),
      allowedOrigins: service.allowedOrigins,
      forbidden: fleetErrors.unauthorized, // Nothing here writes.
    };
    return new TokenGuard(verifier, cookie, () => {
      feed.stop();
      signingKeys.stop();
    });
  }

  onModuleDestroy(): void {
    this.stopFollowing();
  }
}
