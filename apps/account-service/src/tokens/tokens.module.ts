import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { RevocationsModule } from '../revocations/revocations.module.ts';
import { SigningKeysModule } from '../signing-keys/signing-keys.module.ts';
import { AccessTokens } from './access-tokens.ts';
import { AccessTokenVerifier, SignOutVerifier } from './token-verifiers.ts';
import { TokenGuard } from './token-guard.ts';

/** Signs and verifies access tokens, and guards every route. */
@Global()
@Module({
  imports: [SigningKeysModule, RevocationsModule],
  providers: [
    AccessTokens,
    AccessTokenVerifier,
    SignOutVerifier,
    { provide: APP_GUARD, useClass: TokenGuard },
  ],
  exports: [AccessTokens, SignOutVerifier],
})
export class TokensModule {}
