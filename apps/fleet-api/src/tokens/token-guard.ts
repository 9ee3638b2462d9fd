import type { OnModuleDestroy } from '@nestjs/common';
import { fleetFailures } from '@gpu-observatory/error-envelopes';
import type { Runtime } from '@gpu-observatory/service-runtime';
import {
  BearerGuard,
  httpRevocationSource,
  remoteSigningKeys,
  RevocationFeed,
  TokenVerifier,
} from '@gpu-observatory/token-verification';
import type { TokenConfig } from '../config/fleet.config.ts';

/** The guard of every route: tokens of account-service, checked with its keys and against its revocation feed. */
export class TokenGuard extends BearerGuard implements OnModuleDestroy {
  private constructor(
    verifier: TokenVerifier,
    private readonly stopFollowing: () => void,
  ) {
    super(verifier, fleetFailures.unauthorized);
  }

  /** Begins to follow account-service; resolves whether or not it answers. */
  static async start(config: TokenConfig, { logger, readiness, metrics }: Runtime): Promise<TokenGuard> {
    const signingKeys = remoteSigningKeys(config.jwksUrl);
    const feed = new RevocationFeed(
      httpRevocationSource(config.accountInternalUrl, config.internalCredential),
      (failure) => logger.warn({ err: failure }, 'the revocation feed is out of reach'),
    );
    readiness.register('signing-keys', () => signingKeys.availability);
    readiness.register('revocation-feed', () => feed.availability);
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
    return new TokenGuard(verifier, () => {
      feed.stop();
      signingKeys.stop();
    });
  }

  onModuleDestroy(): void {
    this.stopFollowing();
  }
}
