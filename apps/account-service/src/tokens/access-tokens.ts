import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import type { Access, SessionTokens } from '@gpu-observatory/domain-types';
import { ACCESS_TOKEN_ALGORITHM, ACCESS_TOKEN_TYPE } from '@gpu-observatory/token-verification';
import { SigningKeys } from '../signing-keys/signing-keys.service.ts';
import { ACCESS_TOKEN_TTL_SECONDS } from './lifetimes.ts';

/** Signs access tokens (`docs/account-service.md#access-tokens`). */
@Injectable()
export class AccessTokens {
  constructor(
    private readonly jwt: JwtService,
    private readonly signingKeys: SigningKeys,
  ) {}

  /**
   * @param session its end caps the lifetime of the token
   * @param issuedAt time of the database when the access was read, so that a later revocation invalidates the token
   */
  async issue(
    session: { id: string; userId: number; refreshToken: string; expiresAt: Date },
    access: Access,
    issuedAt: Date,
  ): Promise<SessionTokens> {
    const iat = Math.floor(issuedAt.getTime() / 1000);
    const exp = Math.min(iat + ACCESS_TOKEN_TTL_SECONDS, Math.floor(session.expiresAt.getTime() / 1000));
    const { kid, privateKey } = this.signingKeys.at(issuedAt);
    const token = await this.jwt.signAsync(
      { sid: session.id, iat, exp, access },
      {
        privateKey,
        subject: String(session.userId),
        jwtid: randomUUID(),
        header: { alg: ACCESS_TOKEN_ALGORITHM, typ: ACCESS_TOKEN_TYPE, kid },
      },
    );
    return {
      access_token: token,
      refresh_token: session.refreshToken,
      token_type: 'Bearer',
      expires_in: exp - iat,
    };
  }
}
