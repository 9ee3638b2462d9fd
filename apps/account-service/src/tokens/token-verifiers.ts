import { Injectable } from '@nestjs/common';
import { Revocations, TokenVerifier } from '@gpu-observatory/token-verification';
import { Clock } from '../clock/clock.ts';
import { AccountConfig } from '../config/account.config.ts';
import { LocalRevocationFeed } from '../revocations/local-revocation-feed.ts';
import { SigningKeys } from '../signing-keys/signing-keys.service.ts';

/** Verifies access tokens with the keys and revocations of this service. */
@Injectable()
export class AccessTokenVerifier extends TokenVerifier {
  constructor(config: AccountConfig, signingKeys: SigningKeys, feed: LocalRevocationFeed, clock: Clock) {
    super({ ...optionsOf(config, signingKeys, clock), revocations: feed.revocations });
  }
}

/** Verifies access tokens without regard to revocations: ending a session twice is no error. */
@Injectable()
export class SignOutVerifier extends TokenVerifier {
  constructor(config: AccountConfig, signingKeys: SigningKeys, clock: Clock) {
    super({ ...optionsOf(config, signingKeys, clock), revocations: new Revocations() });
  }
}

function optionsOf({ tokens: { issuer, audience } }: AccountConfig, { find }: SigningKeys, clock: Clock) {
  return { issuer, audience, keys: find, now: () => clock.now().getTime() };
}
