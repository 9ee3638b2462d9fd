import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { jsonRepresentation, NoParameters, type Representation } from '@gpu-observatory/service-runtime';
import { ApiConditionalResponse } from '../negotiation/api-conditional-response.ts';
import { ErrorResponses, UNKNOWN_PARAMETER } from '../requests/error-responses.ts';
import { WebsiteConfig } from '../config/website.config.ts';
import { SiteIdentity, siteIdentity } from './site-identity.ts';

/** `GET /api/site`, see docs/website-api.md#site. */
@ApiTags('Site')
@Controller('api/site')
export class SiteController {
  private readonly identity: Representation;

  constructor({ site }: WebsiteConfig) {
    this.identity = jsonRepresentation(siteIdentity(site));
  }

  @Get()
  @ApiOperation({
    operationId: 'getSiteIdentity',
    summary: 'Identity, contact details and use cases of the service',
    description: 'The same text as on the home page and in `/llms.txt`.',
  })
  @ApiConditionalResponse(SiteIdentity, 'The identity of the site.')
  @ErrorResponses({ 400: UNKNOWN_PARAMETER })
  getSiteIdentity(@Query() _query: NoParameters): Representation {
    return this.identity;
  }
}
