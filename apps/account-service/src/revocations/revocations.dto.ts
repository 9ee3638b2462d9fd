import { ApiProperty } from '@nestjs/swagger';
import { REVOCATION_KINDS, type RevocationKind } from '@gpu-observatory/domain-types';
import { IsIn, IsOptional, IsString } from 'class-validator';

export class RevocationsQuery {
  @IsOptional()
  @IsString()
  since?: string;

  /** `next` of the previous page. */
  @IsOptional()
  @IsString()
  after?: string;

  /** `compact` returns sessions as bytes. */
  @IsOptional()
  @IsIn(['compact'])
  format?: 'compact';
}

export class RevocationEntry {
  @ApiProperty({ enum: REVOCATION_KINDS })
  kind!: RevocationKind;
  @ApiProperty({ description: 'Id of the session, user, customer or signing key.' })
  id!: string;
  @ApiProperty({ format: 'date-time', description: 'Tokens issued before this time are invalid.' })
  not_before!: string;
}

export class RevocationsResponse {
  @ApiProperty({ format: 'date-time', description: 'Pass this, minus an overlap, as the next `since`.' })
  as_of!: string;
  @ApiProperty({ type: String, nullable: true, description: 'Pass this as `after` for the next page.' })
  next?: string | null;
  @ApiProperty({ type: [RevocationEntry] })
  revocations!: RevocationEntry[];
  @ApiProperty({
    required: false,
    description: 'With `format=compact`: the sessions, 20 bytes each, in base64.',
  })
  sessions?: string;
}
