import { Body, Controller, Get, Header, Param, Put, Query, Req, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { NoParameters } from '@gpu-observatory/service-runtime';
import { FLEET_READ_SCOPE, type UserCaller } from '@gpu-observatory/token-verification';
import { CurrentCaller } from '@gpu-observatory/token-verification/guard';
import type { FastifyRequest } from 'fastify';
import { originOf } from '../audit/audit.ts';
import { BODY_ERRORS, ErrorResponses } from '../requests/error-responses.ts';
import { NoParametersGuard } from '../requests/no-parameters.guard.ts';
import { RateLimited } from '../requests/rate-limits.ts';
import { toKeyScopesResponse } from './api-key-response.ts';
import { ChangeScopesRequest, KeyScopesResponse } from './api-keys.dto.ts';
import { ApiKeys } from './api-keys.service.ts';
import { KEY_ID, parseKeyId } from './key-id.ts';

/** Scopes of an API key (`docs/account-service.md#scopes-of-a-key`). */
@ApiTags('API keys')
@ApiBearerAuth('bearer')
@ApiParam(KEY_ID)
@Controller('api/v1/keys/:key_id/scopes')
export class KeyScopesController {
  constructor(private readonly keys: ApiKeys) {}

  @Get()
  @Header('cache-control', 'no-store')
  @ApiOperation({
    summary: 'Get the scopes of a key',
    description: 'The caller must belong to the workspace of the key.',
  })
  @ApiOkResponse({ type: KeyScopesResponse, description: 'What the key may do.' })
  @ErrorResponses('unauthorized', 'notFound')
  async getScopes(
    @Query() _query: NoParameters,
    @Param('key_id') keyId: string,
    @CurrentCaller() caller: UserCaller,
  ): Promise<KeyScopesResponse> {
    return toKeyScopesResponse(await this.keys.find(caller.userId, parseKeyId(keyId)));
  }

  @Put()
  @UseGuards(NoParametersGuard)
  @RateLimited('key write')
  @Header('cache-control', 'no-store')
  @ApiOperation({
    summary: 'Change the scopes of a key',
    description:
      `The caller must be an owner of the workspace. Without \`${FLEET_READ_SCOPE}\`, the access tokens of the key end ` +
      'within 2 s.',
  })
  @ApiOkResponse({ type: KeyScopesResponse, description: 'The scopes after the change.' })
  @ErrorResponses('unauthorized', 'forbidden', 'notFound', ...BODY_ERRORS)
  async changeScopes(
    @Param('key_id') keyId: string,
    @Body() body: ChangeScopesRequest,
    @CurrentCaller() caller: UserCaller,
    @Req() request: FastifyRequest,
  ): Promise<KeyScopesResponse> {
    const id = parseKeyId(keyId);
    return toKeyScopesResponse(await this.keys.changeScopes(caller.userId, id, body, originOf(request)));
  }
}
