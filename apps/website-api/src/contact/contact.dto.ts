import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsEmail, IsString, Length, Matches, MaxLength, ValidateIf } from 'class-validator';

/** One non-blank line without control characters, because the value becomes a mail header. */
const ONE_LINE = /^\P{Cc}*\S\P{Cc}*$/u;

/** Body of `POST /api/contact`. */
export class ContactRequest {
  @ApiProperty({ minLength: 1, maxLength: 100 })
  @Length(1, 100, { message: '"firstName" must be a text of 1 to 100 characters' })
  @Matches(ONE_LINE, { message: '"firstName" must be one line and not blank' })
  firstName!: string;

  @ApiProperty({ format: 'email', maxLength: 254, description: 'Address for the reply.' })
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value))
  @IsEmail({}, { message: '"email" must be an email address such as name@example.com' })
  @MaxLength(254, { message: '"email" must have at most 254 characters' })
  email!: string;

  @ApiPropertyOptional({ maxLength: 200 })
  @ValidateIf((_request, value) => value !== undefined)
  @Length(0, 200, { message: '"company" must be a text of at most 200 characters' })
  @Matches(/^\P{Cc}*$/u, { message: '"company" must be one line' })
  company?: string;

  @ApiProperty({ minLength: 1, maxLength: 5_000 })
  @Length(1, 5_000, { message: '"message" must be a text of 1 to 5000 characters' })
  @Matches(/\S/, { message: '"message" must not be blank' })
  message!: string;

  @ApiPropertyOptional({
    maxLength: 200,
    description: 'Omit it. The form hides this field from people, so a value marks the sender as a bot.',
  })
  @ValidateIf((_request, value) => value !== undefined)
  @IsString({ message: '"nickname" must be omitted' })
  @MaxLength(200, { message: '"nickname" must be omitted' })
  nickname?: string;
}

export class ContactReceipt {
  @ApiProperty()
  message!: string;

  @ApiProperty({ format: 'uuid', description: 'Id of the stored request.' })
  id!: string;
}
