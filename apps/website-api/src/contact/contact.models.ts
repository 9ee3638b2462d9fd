import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsEmail, IsString, Length, Matches, MaxLength, ValidateIf } from 'class-validator';

/** No control characters: these stand in the head of a mail. */
const ONE_LINE = /^\P{Cc}*\S\P{Cc}*$/u;

/** Who wants what (contract, section 2.10; decisions, section 4, Contact). */
export class ContactRequest {
  @ApiProperty({ minLength: 1, maxLength: 100 })
  @Length(1, 100, { message: '"firstName" should be a text of 1 to 100 characters' })
  @Matches(ONE_LINE, { message: '"firstName" should be one line that is not blank' })
  firstName!: string;

  @ApiProperty({ format: 'email', maxLength: 254, description: 'Where to answer to.' })
  @IsEmail({}, { message: '"email" should be a mail address such as name@example.com' })
  @MaxLength(254, { message: '"email" should have at most 254 characters' })
  email!: string;

  @ApiPropertyOptional({ maxLength: 200 })
  @ValidateIf((_request, value) => value !== undefined)
  @Length(0, 200, { message: '"company" should be a text of at most 200 characters' })
  @Matches(/^\P{Cc}*$/u, { message: '"company" should be one line' })
  company?: string;

  @ApiProperty({ minLength: 1, maxLength: 5_000 })
  @Length(1, 5_000, { message: '"message" should be a text of 1 to 5000 characters' })
  @Matches(/\S/, { message: '"message" should not be blank' })
  message!: string;

  @ApiPropertyOptional({
    maxLength: 200,
    description: 'Leave it out: people do not see this field of the form, and what fills it in is no person.',
  })
  @ValidateIf((_request, value) => value !== undefined)
  @IsString({ message: '"nickname" should be left out' })
  @MaxLength(200, { message: '"nickname" should be left out' })
  nickname?: string;
}

export class ContactReceipt {
  @ApiProperty()
  message!: string;

  @ApiProperty({ format: 'uuid', description: 'Names the request, should you ask about it.' })
  id!: string;
}
