import { Body, Controller, Header, HttpCode, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AcceptsForm, RateLimits, RequestValidation } from '@gpu-observatory/service-runtime';
import { DomainError, networkOf, oauthErrors } from '@gpu-observatory/service-runtime/process';
import { FLEET_READ_SCOPE } from '@gpu-observatory/token-verification';
import { PublicRoute } from '@gpu-observatory/token-verification/guard';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Clients } from '../api-keys/clients.service.ts';
import { originOf } from '../audit/audit.ts';
import { NoParametersGuard } from '../requests/no-parameters.guard.ts';
import { type LimitedAction, RateLimited } from '../requests/rate-limits.ts';
import { KeyTokenResponse } from '../tokens/access-tokens.ts';
import { clientCredentialsOf } from './client-credentials.ts';
import { OAuthErrorFilter, TOKEN_PATH } from './oauth-error.filter.ts';
import { OAuthErrorResponses } from './oauth-error-responses.ts';
import { KeyTokenRequest, keyTokenRequestOf } from './key-token-request.ts';

const validation = new RequestValidation({
  errorKind: oauthErrors.invalidRequest,
  describe: ({ messages }) => messages.join(' '),
});

/** OAuth 2.0 token endpoint with the client credentials grant (RFC 6749, section 4.4), for API keys. */
@ApiTags('Access tokens for programs')
@PublicRoute()
@UseFilters(OAuthErrorFilter)
@RateLimited('client attempt')
@Controller(TOKEN_PATH)
export class TokenEndpointController {
  constructor(
    private readonly clients: Clients,
    private readonly rateLimits: RateLimits<LimitedAction>,
  ) {}

  @Post()
  @AcceptsForm()
  @UseGuards(NoParametersGuard)
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @Header('pragma', 'no-cache')
  @ApiOperation({
    summary: 'Exchange an API key for an access token',
    description:
      `The key needs the scope \`${FLEET_READ_SCOPE}\`. Send its id and the key in a Basic header, or as \`client_id\` and ` +
      '`client_secret` in the body.',
  })
  @ApiConsumes('application/x-www-form-urlencoded')
  @ApiBody({ type: KeyTokenRequest })
  @ApiOkResponse({ type: KeyTokenResponse, description: 'A token for fleet-api.' })
  @OAuthErrorResponses()
  async issueToken(
    @Body() form: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<KeyTokenResponse> {
    const parameters = keyTokenRequestOf(form);
    const network = networkOf(request.ip);
    const credentials = clientCredentialsOf(request.raw, parameters);
    // In this order: one program with a wrong key exhausts its own limit, not that of the other programs in its network.
    await this.rateLimits.count('client', `${network} ${credentials.id}`, reply);
    await this.rateLimits.count('client network', network, reply);
    const { grant_type: grantType, scope } = await validation.validateBody(KeyTokenRequest, parameters);
    if (grantType !== 'client_credentials') {
      throw new DomainError(oauthErrors.unsupportedGrantType, 'grant_type must be client_credentials.');
    }
    const key = await this.clients.authenticate(credentials, originOf(request));
    // Counted after authentication, so that another client cannot exhaust it.
    await this.rateLimits.count('client token', String(key.id), reply);
    return this.clients.issueToken(key, scope, originOf(request));
  }
}
