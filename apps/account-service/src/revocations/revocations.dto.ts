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
