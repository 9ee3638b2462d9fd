import { Controller, Get, Header } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import type { User } from '@gpu-observatory/domain-types';
import { accountErrors, DomainError } from '@gpu-observatory/error-envelopes';
import { Database } from '@gpu-observatory/service-runtime';
import { type Caller, CurrentCaller } from '@gpu-observatory/token-verification';
import { ErrorResponses } from '../requests/error-responses.ts';
import { findMe } from './me.queries.ts';

class UserAnswer implements User {
  @ApiProperty({ type: 'integer' })
  id!: number;
  @ApiProperty({ format: 'email' })
  email!: string;
  @ApiProperty()
  name!: string;
  @ApiProperty({ description: 'A picture’s URL; empty when there is none.' })
  avatar!: string;
}

class MeAnswer {
  @ApiProperty()
  user!: UserAnswer;
}

/** The signed-in person (contract, sections 2.9 and 4.5). */
@ApiTags('me')
@ApiBearerAuth('bearer')
@Controller('api/v1/me')
export class MeController {
  constructor(private readonly database: Database) {}

  @Get()
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'Who is signed in' })
  @ApiOkResponse({ type: MeAnswer, description: 'The signed-in person.' })
  @ErrorResponses('unauthorized')
  async getMe(@CurrentCaller() caller: Caller): Promise<MeAnswer> {
    const user = await findMe(this.database, caller.userId);
    if (!user)
      throw new DomainError(accountErrors.unauthorized, 'The user of this token is not there any more.');
    return { user };
  }
}
