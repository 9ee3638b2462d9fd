import type { OnModuleDestroy } from '@nestjs/common';
import type { Runtime } from '@gpu-observatory/service-runtime';
import { fleetErrors } from '@gpu-observatory/service-runtime/process';
import {
  type AccessCookie,
  accessCookieName,
  httpRevocationSource,
  keyAudienceOf,
  registerFeedMetrics,
  remoteSigningKeys,
  RevocationFeed,
  TokenVerifier,
} from '@gpu-observatory/token-verification';
import { BearerGuard } from '@gpu-observatory/token-verification/guard';
import type { FleetConfig } from '../../config/fleet.config.ts';
import { metadataUrl } from './resource-metadata.controller.ts';

/**
 * Verifies the access tokens that account-service issues to users and API keys, in the bearer header or the access cookie. It polls
 * the signing keys and the revocation feed. See docs/tokens.md.
 */
export class TokenGuard extends BearerGuard implements OnModuleDestroy {
  private constructor(
    verifier: TokenVerifier,
    cookie: AccessCookie,
    resourceMetadataUrl: string,
    private readonly stop: () => void,
  ) {
    super(verifier, fleetErrors.unauthorized, cookie, resourceMetadataUrl);
  }

  /** Starts polling keys and revocations; resolves even if account-service is unavailable. */
  static async start(
    { tokens: config, service, publicUrl }: Pick<FleetConfig, 'tokens' | 'service' | 'publicUrl'>,
    { logger, readiness, metrics }: Runtime,
  ): Promise<TokenGuard> {
    const signingKeys = remoteSigningKeys(config.jwksUrl);
    const feed = new RevocationFeed(
      httpRevocationSource(config.accountInternalUrl, config.internalCredential),
      {
        onError: (error) => logger.warn({ err: error }, 'cannot read the revocation feed'),
        ...config.revocations,
      },
    );
    readiness.register('signing-keys', () => signingKeys.unavailableReason);
    readiness.register(
      'revocation-feed',
      () => feed.unavailableReason,
      () => feed.freshness,
    );
    registerFeedMetrics(feed, metrics);
    signingKeys.start();
    await feed.start();
    const verifier = new TokenVerifier({
      issuer: config.issuer,
      audience: config.audience,
      keyAudience: keyAudienceOf(config.audience),
      keys: signingKeys.keys,
      revocations: feed.revocations,
    });
    const cookie = {
      name: accessCookieName(config.cookieDomain),
      allowedOrigins: service.allowedOrigins,
      // Unused: this service has no routes that write.
      forbidden: fleetErrors.unauthorized,
    };
    return new TokenGuard(verifier, cookie, metadataUrl({ publicUrl }), () => {
      feed.stop();
      signingKeys.stop();
    });
  }

  onModuleDestroy(): void {
    this.stop();
  }
}
