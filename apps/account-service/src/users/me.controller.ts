import { Controller, Get, Header, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import type { User as PublicUser } from '@gpu-observatory/domain-types';
import { NoParameters } from '@gpu-observatory/service-runtime';
import { accountErrors, Database, DomainError } from '@gpu-observatory/service-runtime/process';
import { type UserCaller } from '@gpu-observatory/token-verification';
import { CurrentCaller } from '@gpu-observatory/token-verification/guard';
import { ErrorResponses } from '../requests/error-responses.ts';
import { findPublicUser } from './users.queries.ts';

class UserResponse implements PublicUser {
  @ApiProperty({ type: 'integer' })
  id!: number;
  @ApiProperty({ format: 'email' })
  email!: string;
  @ApiProperty()
  name!: string;
  @ApiProperty({ description: 'URL of a picture, or empty.' })
  avatar!: string;
}

class MeResponse {
  @ApiProperty()
  user!: UserResponse;
}

@ApiTags('User')
@ApiBearerAuth('bearer')
@Controller('api/v1/me')
export class MeController {
  constructor(private readonly database: Database) {}

  @Get()
  @Header('cache-control', 'no-store')
  @ApiOperation({
    summary: 'Get the signed-in user',
    description: 'Name and email address as the sign-in provider reported them.',
  })
  @ApiOkResponse({ type: MeResponse, description: 'The signed-in user.' })
  @ErrorResponses('unauthorized')
  async getMe(@Query() _query: NoParameters, @CurrentCaller() caller: UserCaller): Promise<MeResponse> {
    const user = await findPublicUser(this.database, caller.userId);
    if (!user) throw new DomainError(accountErrors.unauthorized, 'The user of this token no longer exists.');
    return { user };
  }
}
