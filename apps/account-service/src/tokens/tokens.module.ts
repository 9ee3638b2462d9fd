import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { JwtModule } from '@nestjs/jwt';
import { ACCESS_TOKEN_ALGORITHM } from '@gpu-observatory/token-verification';
import { AccountConfig } from '../config/account.config.ts';
import { LocalRevocationFeed } from '../revocations/local-revocation-feed.ts';
import { SigningKeysModule } from '../signing-keys/signing-keys.module.ts';
import { AccessTokens } from './access-tokens.ts';
import { AccessTokenVerifier, SignOutVerifier } from './token-verifiers.ts';
import { TokenGuard } from './token.guard.ts';

/** Signs and verifies access tokens, and guards every route. */
@Global()
@Module({
  imports: [
    SigningKeysModule,
    // Without a key: keys rotate, so each signature names its own.
    JwtModule.registerAsync({
      inject: [AccountConfig],
      useFactory: ({ tokens: { issuer, audience } }: AccountConfig) => ({
        signOptions: { issuer, audience, algorithm: ACCESS_TOKEN_ALGORITHM },
      }),
    }),
  ],
  providers: [
    LocalRevocationFeed,
    AccessTokens,
    AccessTokenVerifier,
    SignOutVerifier,
    { provide: APP_GUARD, useClass: TokenGuard },
  ],
  exports: [AccessTokens, SignOutVerifier],
})
export class TokensModule {}
