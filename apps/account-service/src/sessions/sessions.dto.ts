import { ApiProperty } from '@nestjs/swagger';
import type { SessionTokens } from '@gpu-observatory/domain-types';
import { Allow, IsOptional, IsString } from 'class-validator';

export class TokenRequest {
  @IsString()
  @ApiProperty({ description: 'The code of `<frontend_url>/auth/callback?code=…`; good for one attempt.' })
  code!: string;

  /** Judged by the exchange itself: whatever is wrong with it, the answer is Invalid Code. */
  @Allow()
  @ApiProperty({ type: String, description: 'The `frontend_url` that the sign-in began with.' })
  redirect_uri: unknown;
}

export class RefreshRequest {
  @IsString()
  @ApiProperty()
  refresh_token!: string;
}

export class LogoutRequest {
  @IsOptional()
  @IsString()
  @ApiProperty({ required: false, description: 'Ends this session too.' })
  refresh_token?: string;
}

export class SessionTokensAnswer implements SessionTokens {
  @ApiProperty({ description: 'A JWT, for `Authorization: Bearer`.' })
  access_token!: string;
  @ApiProperty()
  refresh_token!: string;
  @ApiProperty({ enum: ['Bearer'] })
  token_type!: 'Bearer';
  @ApiProperty({ type: 'integer', example: 21600, description: 'Seconds until the access token expires.' })
  expires_in!: number;
}
