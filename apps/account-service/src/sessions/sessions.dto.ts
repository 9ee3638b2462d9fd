import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { SessionTokens } from '@gpu-observatory/domain-types';
import { Allow, IsOptional, IsString } from 'class-validator';

export class TokenRequest {
  @IsString()
  @ApiProperty({ description: 'The code from `<frontend_url>/auth/callback?code=…`, valid for one attempt.' })
  code!: string;

  /** Checked by the exchange itself, which reports any invalid value as Invalid Code. */
  @Allow()
  @ApiProperty({ type: String, description: 'The `frontend_url` with which the sign-in started.' })
  redirect_uri: unknown;

  /** Checked like `redirect_uri`. */
  @Allow()
  @ApiPropertyOptional({
    type: String,
    minLength: 43,
    maxLength: 128,
    description: 'The PKCE verifier, if and only if the sign-in started with a `code_challenge`.',
  })
  code_verifier?: unknown;
}

export class RefreshRequest {
  @IsString()
  @ApiProperty()
  refresh_token!: string;
}

export class LogoutRequest {
  @IsOptional()
  @IsString()
  @ApiProperty({ required: false, description: 'Also ends the session of this token.' })
  refresh_token?: string;
}

class SessionResponse {
  @ApiProperty({ format: 'uuid' })
  id!: string;
  @ApiProperty({ description: 'Whether this is the session of the request.' })
  current!: boolean;
  @ApiProperty({ description: 'Id of the sign-in method, as in `GET /auth/methods`.' })
  method!: string;
  @ApiProperty({ description: '`User-Agent` at sign-in, at most 256 characters. May be empty.' })
  user_agent!: string;
  @ApiProperty({ description: 'IPv4 address or IPv6 /64 at sign-in.' })
  network!: string;
  @ApiProperty({ format: 'date-time' })
  signed_in_at!: string;
  @ApiProperty({ description: 'RFC 3339, or empty when never refreshed.' })
  last_refreshed_at!: string;
  @ApiProperty({ format: 'date-time' })
  expires_at!: string;
}

export class SessionListResponse {
  @ApiProperty({ type: [SessionResponse] })
  sessions!: SessionResponse[];
}

export class SessionTokensResponse implements SessionTokens {
  @ApiProperty({ description: 'JWT for `Authorization: Bearer`.' })
  access_token!: string;
  @ApiProperty()
  refresh_token!: string;
  @ApiProperty({ enum: ['Bearer'] })
  token_type!: 'Bearer';
  @ApiProperty({ type: 'integer', example: 21600, description: 'Seconds until the access token expires.' })
  expires_in!: number;
}
