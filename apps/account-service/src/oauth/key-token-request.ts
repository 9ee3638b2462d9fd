import { ApiProperty } from '@nestjs/swagger';
import { FLEET_READ_SCOPE } from '@gpu-observatory/token-verification';
import { IsOptional, IsString } from 'class-validator';

const GRANT_TYPES = ['client_credentials'] as const;

/** Parameters of a token request (RFC 6749, section 4.4.2). */
export class KeyTokenRequest {
  @IsString({ message: 'grant_type is required: send client_credentials' })
  @ApiProperty({ enum: GRANT_TYPES })
  grant_type!: string;

  @IsOptional()
  @IsString()
  @ApiProperty({ required: false, enum: [FLEET_READ_SCOPE], description: 'All scopes by default.' })
  scope?: string;

  @IsOptional()
  @IsString()
  @ApiProperty({ required: false, description: 'Id of the API key, without a Basic header.' })
  client_id?: string;

  @IsOptional()
  @IsString()
  @ApiProperty({ required: false, description: 'The API key, without a Basic header.' })
  client_secret?: string;
}

/**
 * Returns the parameters of a form. Unknown ones are ignored, and one without a value counts as omitted (RFC 6749, section 3.2).
 */
export function keyTokenRequestOf(form: unknown): KeyTokenRequest {
  const { grant_type, scope, client_id, client_secret } = (form ?? {}) as KeyTokenRequest;
  const fields = Object.entries({ grant_type, scope, client_id, client_secret });
  return Object.assign(new KeyTokenRequest(), Object.fromEntries(fields.filter(([, value]) => value)));
}
