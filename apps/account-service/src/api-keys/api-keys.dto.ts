import { ApiProperty } from '@nestjs/swagger';
import { parsePositiveInteger, parseTimestamp } from '@gpu-observatory/domain-types';
import { echo } from '@gpu-observatory/service-runtime/process';
import { parsePageToken } from './page-token.ts';
import { oneLineViolation } from '../requests/one-line.ts';
import { FLEET_READ_SCOPE } from '@gpu-observatory/token-verification';
import {
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsString,
  Matches,
  Min,
  ValidateBy,
  ValidateIf,
  type ValidationOptions,
} from 'class-validator';
import { GRANTABLE_SCOPES, type KeyScope } from './scopes.ts';

/** Allows a missing field, but not null. */
const Optional = () => ValidateIf((_body, value) => value !== undefined);

export const EXPIRES_AT_RULE =
  'expires_at must be an RFC 3339 timestamp with a zone, in the future, such as 2099-12-31T12:00:00Z';

const Satisfies = (
  name: string,
  validate: (value: unknown) => boolean,
  message: NonNullable<ValidationOptions['message']>,
) => ValidateBy({ name, validator: { validate } }, { message });

/** Counts code points. `Length` of class-validator does not count variation selectors. */
const HasCharacters = (min: number, max: number, message: string) =>
  Satisfies(
    'hasCharacters',
    (value) => typeof value === 'string' && [...value].length >= min && [...value].length <= max,
    message,
  );

export class CreateKeyRequest {
  @IsString()
  @HasCharacters(1, 100, 'name must have 1 to 100 characters')
  @Matches(/\S/, { message: 'name must not be blank' })
  @Satisfies(
    'isOneLine',
    (value) => oneLineViolation(String(value)) === undefined,
    ({ value }) => `name ${oneLineViolation(String(value))}`,
  )
  @ApiProperty({ minLength: 1, maxLength: 100, pattern: '\\S', example: 'rack 12' })
  name!: string;

  @Optional()
  @IsString()
  @HasCharacters(0, 1000, 'description must have at most 1000 characters')
  @ApiProperty({ required: false, maxLength: 1000 })
  description?: string;

  @IsInt({ message: 'workspace_id must be an integer, the id of one of your workspaces' })
  @Min(1, { message: 'workspace_id must be 1 or more' })
  @ApiProperty({
    type: 'integer',
    minimum: 1,
    description: 'A workspace in which the caller is an owner or member.',
  })
  workspace_id!: number;

  // Whether the time is in the future is decided by the time of the database: see `ApiKeys`.
  @Optional()
  @Satisfies(
    'isTimestamp',
    (value) => typeof value === 'string' && parseTimestamp(value) !== null,
    EXPIRES_AT_RULE,
  )
  @ApiProperty({
    required: false,
    format: 'date-time',
    description:
      "Time in the future. Without it, the key does not expire, or gets the organization's maximum lifetime.",
  })
  expires_at?: string;
}

/** Largest page of `GET /keys/`. */
const MAX_PAGE_SIZE = 1_000;

export class ListKeysQuery {
  @Optional()
  @Satisfies(
    'isPageSize',
    (value) => {
      const size = typeof value === 'string' ? parsePositiveInteger(value) : null;
      return size !== null && size <= MAX_PAGE_SIZE;
    },
    ({ value }) =>
      `page_size must be one integer from 1 to ${MAX_PAGE_SIZE}, got ${echo(JSON.stringify(value))}`,
  )
  @ApiProperty({
    required: false,
    type: 'integer',
    minimum: 1,
    maximum: MAX_PAGE_SIZE,
    description: 'Number of keys in the response. Without it, all keys.',
  })
  page_size?: string;

  @Optional()
  @Satisfies(
    'isPageToken',
    (value) => parsePageToken(value) !== null,
    'page_token must be the next_page_token of a previous page, unchanged',
  )
  @ApiProperty({ required: false, description: 'The next_page_token of the previous page.' })
  page_token?: string;
}

export class ApiKeyResponse {
  @ApiProperty({ type: 'integer', description: 'Stays the same across rotation.' })
  id!: number;
  @ApiProperty()
  name!: string;
  @ApiProperty({
    description:
      'The secret, a UUID. Masked except for its last four characters, except at creation and rotation.',
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
  @ApiProperty({ description: 'False when the key has expired or an operator disabled it.' })
  is_active!: boolean;
  @ApiProperty({ description: 'RFC 3339; empty when the key does not expire.' })
  expires_at!: string;
  @ApiProperty({ description: 'RFC 3339, accurate to about a minute; empty when the key was never used.' })
  last_used_at!: string;
  @ApiProperty({ format: 'date-time' })
  created_at!: string;
  @ApiProperty({ format: 'date-time' })
  updated_at!: string;
}

export class ApiKeyWithMessage {
  @ApiProperty()
  api_key!: ApiKeyResponse;
  @ApiProperty()
  message!: string;
}

export class ApiKeyListResponse {
  @ApiProperty({ type: [ApiKeyResponse] })
  api_keys!: ApiKeyResponse[];
  @ApiProperty({ required: false, description: 'Present while there are further pages.' })
  next_page_token?: string;
}

export class MessageResponse {
  @ApiProperty()
  message!: string;
}

const SCOPES: readonly KeyScope[] = ['telemetry:write', ...GRANTABLE_SCOPES];
const SCOPES_RULE = `scopes must be a list of ${SCOPES.join(', ')}`;

export class KeyScopes {
  @IsArray({ message: SCOPES_RULE })
  @IsIn(SCOPES, { each: true, message: SCOPES_RULE })
  @ApiProperty({
    isArray: true,
    enum: SCOPES,
    description: `All scopes of the key. Only an operator changes those other than \`${FLEET_READ_SCOPE}\`.`,
    example: ['telemetry:write', FLEET_READ_SCOPE],
  })
  scopes!: KeyScope[];
}

export class ChangeScopesRequest extends KeyScopes {
  @Optional()
  @IsBoolean({ message: 'all_workspaces must be true or false' })
  @ApiProperty({
    required: false,
    default: false,
    description: `Whether \`${FLEET_READ_SCOPE}\` is for all workspaces of the organization; its administrators may set it.`,
  })
  all_workspaces?: boolean;
}

export class KeyScopesResponse extends KeyScopes {
  @ApiProperty({
    description: `Whether \`${FLEET_READ_SCOPE}\` is for all workspaces of the organization. False without the scope.`,
  })
  all_workspaces!: boolean;
}
