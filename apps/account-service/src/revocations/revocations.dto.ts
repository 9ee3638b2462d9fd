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
  @ApiProperty({ description: 'The session, user, customer or key id.' })
  id!: string;
  @ApiProperty({ format: 'date-time', description: 'Tokens issued before this no longer count.' })
  not_before!: string;
}

export class RevocationsAnswer {
  @ApiProperty({ format: 'date-time', description: 'Ask for what came since this, less an overlap.' })
  as_of!: string;
  @ApiProperty({ type: [RevocationEntry] })
  revocations!: RevocationEntry[];
}
