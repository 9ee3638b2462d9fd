import {
  Body,
  Controller,
  Delete,
  Get,
  Header,
  HttpCode,
  Param,
  Post,
  Query,
  Req,
  UseGuards,
} from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import { NoParameters } from '@gpu-observatory/service-runtime';
import { Database } from '@gpu-observatory/service-runtime/process';
import type { UserCaller } from '@gpu-observatory/token-verification';
import { CurrentCaller } from '@gpu-observatory/token-verification/guard';
import type { FastifyRequest } from 'fastify';
import { originOf } from '../audit/audit.ts';
import { BODY_ERRORS, ErrorResponses } from '../requests/error-responses.ts';
import { NoParametersGuard } from '../requests/no-parameters.guard.ts';
import { RateLimited } from '../requests/rate-limits.ts';
import { toApiKeyResponse } from './api-key-response.ts';
import {
  ApiKeyListResponse,
  ApiKeyWithMessage,
  CreateKeyRequest,
  ListKeysQuery,
  MessageResponse,
} from './api-keys.dto.ts';
import { listKeysOf, MAX_KEYS_PER_WORKSPACE } from './api-keys.queries.ts';
import { ApiKeys } from './api-keys.service.ts';
import { KEY_ID, parseKeyId } from './key-id.ts';
import { pageTokenAfter, parsePageToken } from './page-token.ts';

/** API keys of the caller’s workspaces (`docs/account-service.md#api-keys`). */
@ApiTags('API keys')
@ApiBearerAuth('bearer')
@Controller('api/v1/keys')
export class ApiKeysController {
  constructor(
    private readonly database: Database,
    private readonly keys: ApiKeys,
  ) {}

  @Get()
  @Header('cache-control', 'no-store')
  @ApiOperation({
    summary: 'List the keys of every workspace of the caller',
    description:
      'Secrets are masked except for the last four characters. Without `page_size`, the response has every key.',
  })
  @ApiOkResponse({ type: ApiKeyListResponse, description: 'The keys, oldest first, with masked secrets.' })
  @ErrorResponses('unauthorized')
  async listKeys(
    @Query() query: ListKeysQuery,
    @CurrentCaller() caller: UserCaller,
  ): Promise<ApiKeyListResponse> {
    const afterId = query.page_token === undefined ? 0 : parsePageToken(query.page_token)!;
    const size = query.page_size === undefined ? null : Number(query.page_size);
    // One row more shows whether there is another page.
    const limit = size === null ? null : size + 1;
    const rows = await listKeysOf(this.database, caller.userId, { afterId, limit });
    const page = size === null ? rows : rows.slice(0, size);
    const last = page.at(-1);
    return {
      api_keys: page.map((row) => toApiKeyResponse(row)),
      ...(last && rows.length > page.length && { next_page_token: pageTokenAfter(last.id) }),
    };
  }

  @Post()
  @UseGuards(NoParametersGuard)
  @RateLimited('key write')
  @Header('cache-control', 'no-store')
  @ApiOperation({
    summary: 'Create a key',
    description:
      'Only this response contains the secret. The caller must be an owner or member of the workspace, which has at most ' +
      `${MAX_KEYS_PER_WORKSPACE} keys.`,
  })
  @ApiCreatedResponse({ type: ApiKeyWithMessage, description: 'The key with its secret.' })
  @ErrorResponses('unauthorized', 'forbidden', 'notFound', 'conflict', ...BODY_ERRORS)
  async createKey(
    @Body() body: CreateKeyRequest,
    @CurrentCaller() caller: UserCaller,
    @Req() request: FastifyRequest,
  ): Promise<ApiKeyWithMessage> {
    const { row, secret } = await this.keys.create(caller.userId, body, originOf(request));
    return {
      api_key: toApiKeyResponse(row, secret),
      message: 'The key was created. Copy it now: it is not shown again.',
    };
  }

  @Post(':key_id/rotate')
  @RateLimited('key write')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @ApiOperation({
    summary: 'Rotate the secret of a key',
    description: 'The id stays the same. The old secret becomes invalid immediately.',
  })
  @ApiParam(KEY_ID)
  @ApiOkResponse({ type: ApiKeyWithMessage, description: 'The key with its new secret.' })
  @ErrorResponses('unauthorized', 'forbidden', 'notFound', ...BODY_ERRORS)
  async rotateKey(
    @Query() _query: NoParameters,
    @Param('key_id') keyId: string,
    @CurrentCaller() caller: UserCaller,
    @Req() request: FastifyRequest,
  ): Promise<ApiKeyWithMessage> {
    const { row, secret } = await this.keys.rotate(caller.userId, parseKeyId(keyId), originOf(request));
    return {
      api_key: toApiKeyResponse(row, secret),
      message: 'The key has a new secret, and the old one is invalid. Copy it now: it is not shown again.',
    };
  }

  @Delete(':key_id')
  @RateLimited('key write')
  @ApiOperation({ summary: 'Delete a key', description: 'Its secret becomes invalid immediately.' })
  @ApiParam(KEY_ID)
  @ApiOkResponse({ type: MessageResponse, description: 'The key was deleted.' })
  @ErrorResponses('unauthorized', 'forbidden', 'notFound', ...BODY_ERRORS)
  async deleteKey(
    @Query() _query: NoParameters,
    @Param('key_id') keyId: string,
    @CurrentCaller() caller: UserCaller,
    @Req() request: FastifyRequest,
  ): Promise<MessageResponse> {
    await this.keys.delete(caller.userId, parseKeyId(keyId), originOf(request));
    return { message: 'The key was deleted.' };
  }
}
