import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { ApiProperty } from '@nestjs/swagger';
import type { Access, SessionTokens } from '@gpu-observatory/domain-types';
import {
  ACCESS_TOKEN_ALGORITHM,
  ACCESS_TOKEN_TYPE,
  FLEET_READ_SCOPE,
  KEY_TOKEN_LIFETIME_SECONDS,
  keyAudienceOf,
  subjectOfKey,
} from '@gpu-observatory/token-verification';
import { AccountConfig } from '../config/account.config.ts';
import { SigningKeys } from '../signing-keys/signing-keys.service.ts';
import { ACCESS_TOKEN_TTL_SECONDS } from './lifetimes.ts';

/** Access token of an API key, as the token endpoint returns it. */
export class KeyTokenResponse {
  @ApiProperty({ description: 'For fleet-api only.' })
  access_token!: string;
  @ApiProperty({ enum: ['Bearer'] })
  token_type!: 'Bearer';
  @ApiProperty({
    type: 'integer',
    description: `Lifetime in seconds, at most ${KEY_TOKEN_LIFETIME_SECONDS}.`,
  })
  expires_in!: number;
  @ApiProperty({ example: FLEET_READ_SCOPE })
  scope!: string;
}

/** Signs access tokens (`docs/account-service.md#access-tokens`). */
@Injectable()
export class AccessTokens {
  constructor(
    private readonly jwt: JwtService,
    private readonly signingKeys: SigningKeys,
    private readonly config: AccountConfig,
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
    const claims = { sid: session.id, iat, exp, access };
    return {
      access_token: await this.sign(claims, { subject: String(session.userId) }, issuedAt),
      refresh_token: session.refreshToken,
      token_type: 'Bearer',
      expires_in: exp - iat,
    };
  }

  /**
   * Issues a token for an API key that is not expired.
   *
   * @param session its id is `sid`, whose revocation ends the token; its end caps the lifetime
   * @param issuedAt as for `issue`. `iat` is the following second: a token issued in the second of a revocation of the customer,
   * after it, would otherwise be rejected as an older one. The `sid` revokes one that was issued before it.
   */
  async issueForKey(
    session: { id: string; keyId: number; expiresAt: Date | null },
    access: Access,
    issuedAt: Date,
  ): Promise<KeyTokenResponse> {
    const { id: sid, keyId, expiresAt } = session;
    const iat = Math.ceil(issuedAt.getTime() / 1000);
    const end = expiresAt === null ? Infinity : Math.ceil(expiresAt.getTime() / 1000);
    const exp = Math.min(iat + KEY_TOKEN_LIFETIME_SECONDS, Math.max(end, iat + 1));
    const claims = { sid, client_id: String(keyId), scope: FLEET_READ_SCOPE, iat, exp, access };
    const parties = { subject: subjectOfKey(keyId), audience: keyAudienceOf(this.config.tokens.audience) };
    return {
      access_token: await this.sign(claims, parties, issuedAt),
      token_type: 'Bearer',
      expires_in: exp - iat,
      scope: FLEET_READ_SCOPE,
    };
  }

  private sign(
    claims: Record<string, unknown>,
    parties: { subject: string; audience?: string },
    issuedAt: Date,
  ): Promise<string> {
    const { kid, privateKey } = this.signingKeys.at(issuedAt);
    return this.jwt.signAsync(claims, {
      ...parties,
      privateKey,
      jwtid: randomUUID(),
      header: { alg: ACCESS_TOKEN_ALGORITHM, typ: ACCESS_TOKEN_TYPE, kid },
    });
  }
}
