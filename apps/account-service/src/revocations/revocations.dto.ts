import { ApiProperty } from '@nestjs/swagger';
import { REVOCATION_KINDS, type RevocationKind } from '@gpu-observatory/domain-types';
import { IsOptional, IsString } from 'class-validator';

export class RevocationsQuery {
  @IsOptional()
  @IsString()
  since?: string;
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
  @ApiProperty({ type: [RevocationEntry] })
  revocations!: RevocationEntry[];
}
