import { Controller, Delete, Get, Header, HttpCode, Param, Query, Res } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import { formatTimestamp, isUuid } from '@gpu-observatory/domain-types';
import { NoParameters } from '@gpu-observatory/service-runtime';
import { accountErrors, DomainError, echo } from '@gpu-observatory/service-runtime/process';
import { type UserCaller } from '@gpu-observatory/token-verification';
import { CurrentCaller } from '@gpu-observatory/token-verification/guard';
import type { FastifyReply } from 'fastify';
import { originOf } from '../audit/audit.ts';
import { ErrorResponses } from '../requests/error-responses.ts';
import { RateLimited } from '../requests/rate-limits.ts';
import { SessionCookies } from './session-cookies.ts';
import { SessionListResponse } from './sessions.dto.ts';
import { Sessions } from './sessions.service.ts';

/** Lists and ends the sessions of the caller (`docs/account-service.md#active-sessions`). */
@ApiTags('Sessions')
@ApiBearerAuth('bearer')
@Controller('api/v1/sessions')
export class SessionsController {
  constructor(
    private readonly sessions: Sessions,
    private readonly cookies: SessionCookies,
  ) {}

  @Get()
  @Header('cache-control', 'no-store')
  @ApiOperation({
    summary: 'List the active sessions of the caller',
    description: 'With network and user agent, so that the caller recognizes each of them.',
  })
  @ApiOkResponse({ type: SessionListResponse, description: 'The newest 1,000 sessions, newest first.' })
  @ErrorResponses('unauthorized')
  async listSessions(
    @Query() _query: NoParameters,
    @CurrentCaller() caller: UserCaller,
  ): Promise<SessionListResponse> {
    const sessions = await this.sessions.list(caller.userId);
    return {
      sessions: sessions.map((session) => ({
        id: session.id,
        method: session.sign_in_method,
        user_agent: session.user_agent,
        network: session.network,
        signed_in_at: formatTimestamp(session.signed_in_at),
        last_refreshed_at:
          session.last_refreshed_at === null ? '' : formatTimestamp(session.last_refreshed_at),
        expires_at: formatTimestamp(session.expires_at),
        current: session.id === caller.sessionId,
      })),
    };
  }

  @Delete(':session_id')
  @HttpCode(204)
  @RateLimited('session end')
  @ApiOperation({
    summary: 'End a session of the caller',
    description: 'Its tokens stop working in all services within 2 seconds.',
  })
  @ApiParam({
    name: 'session_id',
    schema: { type: 'string', format: 'uuid' },
    description: 'Id from the session list.',
  })
  @ApiNoContentResponse({ description: 'The session has ended.' })
  @ErrorResponses('unauthorized', 'forbidden', 'notFound', 'tooManyRequests')
  async endSession(
    @Query() _query: NoParameters,
    @Param('session_id') text: string,
    @CurrentCaller() caller: UserCaller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    const id = parseSessionId(text);
    if (!(await this.sessions.endOwn(caller.userId, id, originOf(reply.request)))) {
      throw new DomainError(
        accountErrors.notFound,
        'You have no such active session; GET /api/v1/sessions/ lists your sessions.',
      );
    }
    if (id === caller.sessionId) this.cookies.clear(reply);
  }

  @Delete()
  @HttpCode(204)
  @RateLimited('session end')
  @ApiOperation({
    summary: 'End all sessions of the caller',
    description:
      'Signs the caller out everywhere, also here. The tokens stop working in all services within 2 seconds.',
  })
  @ApiNoContentResponse({ description: 'All sessions have ended.' })
  @ErrorResponses('unauthorized', 'forbidden', 'tooManyRequests')
  async endAllSessions(
    @Query() _query: NoParameters,
    @CurrentCaller() caller: UserCaller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    await this.sessions.endAll(caller.userId, originOf(reply.request));
    this.cookies.clear(reply);
  }
}

function parseSessionId(text: string): string {
  if (isUuid(text)) return text.toLowerCase();
  throw new DomainError(accountErrors.invalidRequest, `session_id must be a UUID, got "${echo(text)}".`);
}
