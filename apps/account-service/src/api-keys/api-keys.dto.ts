import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { parseTimestamp } from '@gpu-observatory/domain-types';
import { IsInt, IsString, Matches, Min, ValidateBy, ValidateIf } from 'class-validator';

/** May be left out; where it is there, it must be right (null is not). */
const Optional = () => ValidateIf((_body, value) => value !== undefined);

const IsFutureTimestamp = () =>
  ValidateBy({
    name: 'isFutureTimestamp',
    validator: {
      validate: (value) =>
        typeof value === 'string' && (parseTimestamp(value) ?? new Date(0)).getTime() > Date.now(),
      defaultMessage: () =>
        'expires_at must be an RFC 3339 timestamp with a zone, in the future, such as 2099-12-31T12:00:00Z',
    },
  });

/** Counts code points, all of them: the validator's own Length leaves out what only varies the one before it. */
const HasCharacters = (min: number, max: number, message: string) =>
  ValidateBy({
    name: 'hasCharacters',
    validator: {
      validate: (value) => {
        if (typeof value !== 'string') return false;
        const { length } = [...value];
        return length >= min && length <= max;
      },
      defaultMessage: () => message,
    },
  });

const IsName = () =>
  applyDecorators(
    IsString(),
    HasCharacters(1, 100, 'name must have 1 to 100 characters'),
    Matches(/\S/, { message: 'name must not be blank' }),
  );

/** Of `POST /keys/` (decisions, section 3, Keys). */
export class CreateKeyRequest {
  @IsName()
  @ApiProperty({ minLength: 1, maxLength: 100, pattern: '\\S', example: 'rack 12' })
  name!: string;

  @Optional()
  @IsString()
  @HasCharacters(0, 1000, 'description must have 1000 characters at most')
  @ApiProperty({ required: false, maxLength: 1000 })
  description?: string;

  @IsInt({ message: 'workspace_id must be an integer, the id of a workspace of yours' })
  @Min(1, { message: 'workspace_id must be 1 or more' })
  @ApiProperty({ type: 'integer', minimum: 1, description: 'Whose owner or member the caller is.' })
  workspace_id!: number;

  @Optional()
  @IsFutureTimestamp()
  @ApiProperty({ required: false, format: 'date-time', description: 'In the future; without it, never.' })
  expires_at?: string;
}

export class ApiKeyAnswer {
  @ApiProperty({ type: 'integer', description: 'Stays the same across rotation.' })
  id!: number;
  @ApiProperty()
  name!: string;
  @ApiProperty({
    description: 'The secret, a UUID, at creation and rotation; else only its last four characters.',
  })
  key!: string;
  @ApiProperty()
  description!: string;
  @ApiProperty({ type: 'integer' })
  workspace_id!: number;
  @ApiProperty()
  workspace_name!: string;
  @ApiProperty({ type: 'integer' })
  customer_id!: number;
  @ApiProperty({ description: 'False once it has expired, or an operator switched it off.' })
  is_active!: boolean;
  @ApiProperty({ description: 'RFC 3339; empty when it does not expire.' })
  expires_at!: string;
  @ApiProperty({ description: 'RFC 3339, to about a minute; empty when it was never used.' })
  last_used_at!: string;
  @ApiProperty({ format: 'date-time' })
  created_at!: string;
  @ApiProperty({ format: 'date-time' })
  updated_at!: string;
}

export class ApiKeyWithMessage {
  @ApiProperty()
  api_key!: ApiKeyAnswer;
  @ApiProperty()
  message!: string;
}

export class ApiKeysAnswer {
  @ApiProperty({ type: [ApiKeyAnswer] })
  api_keys!: ApiKeyAnswer[];
}

export class MessageAnswer {
  @ApiProperty()
  message!: string;
}
