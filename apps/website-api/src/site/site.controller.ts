import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiBadRequestResponse, ApiExtraModels, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ConditionalAnswer } from '../negotiation/conditional-answer.ts';
import { deliver } from '../negotiation/deliver.ts';
import { Representation } from '../negotiation/representation.ts';
import { NoParameters } from '../parameters/no-parameters.ts';
import { problemContent, ProblemDetails } from '../parameters/problem-details.ts';
import { SiteConfig } from '../config/site.config.ts';
import { SiteIdentity, siteIdentity } from './site-identity.ts';

/** `GET /api/site` (contract, section 4.6). */
@ApiTags('site')
@ApiExtraModels(ProblemDetails)
@Controller('api/site')
export class SiteController {
  private readonly identity: Representation;

  constructor(config: SiteConfig) {
    this.identity = new Representation(
      'application/json; charset=utf-8',
      JSON.stringify(siteIdentity(config)),
    );
  }

  @Get()
  @ApiOperation({
    operationId: 'getSiteIdentity',
    summary: 'What this service is, how to reach its people, and when to use it',
  })
  @ConditionalAnswer(SiteIdentity, 'The identity of the site.')
  @ApiBadRequestResponse({
    description: 'A query parameter that is not known here.',
    content: problemContent,
  })
  getSiteIdentity(
    @Query() _none: NoParameters,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): void {
    deliver(request, reply, this.identity);
  }
}
