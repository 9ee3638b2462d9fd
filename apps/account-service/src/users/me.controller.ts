import { Controller, Get, Header, Query } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import type { User as PublicUser } from '@gpu-observatory/domain-types';
import { NoParameters } from '@gpu-observatory/service-runtime';
import { accountErrors, DomainError } from '@gpu-observatory/service-runtime/process';
import { type Caller } from '@gpu-observatory/token-verification';
import { CurrentCaller } from '@gpu-observatory/token-verification/guard';
import { Repository } from 'typeorm';
import { ErrorResponses } from '../requests/error-responses.ts';
import { User } from './user.entity.ts';

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
  constructor(@InjectRepository(User) private readonly users: Repository<User>) {}

  @Get()
  @Header('cache-control', 'no-store')
  @ApiOperation({
    summary: 'Get the signed-in user',
    description: 'Name and email address as the sign-in provider reported them.',
  })
  @ApiOkResponse({ type: MeResponse, description: 'The signed-in user.' })
  @ErrorResponses('unauthorized')
  async getMe(@Query() _query: NoParameters, @CurrentCaller() caller: Caller): Promise<MeResponse> {
    const user = await this.users.findOne({
      select: { id: true, email: true, name: true, avatar: true },
      where: { id: caller.userId },
    });
    if (!user) throw new DomainError(accountErrors.unauthorized, 'The user of this token no longer exists.');
    return { user };
  }
}
