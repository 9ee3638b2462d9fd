import { Controller, Get, Header, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { NoParameters } from '@gpu-observatory/service-runtime';
import { FLEET_READ_SCOPE } from '@gpu-observatory/token-verification';
import { PublicRoute } from '@gpu-observatory/token-verification/guard';
import { FleetConfig } from '../../config/fleet.config.ts';
import { ErrorResponses } from '../openapi/error-responses.ts';

const PATH = '.well-known/oauth-protected-resource';

/** Returns the URL of the metadata, for the challenge of a 401. */
export const metadataUrl = ({ publicUrl }: Pick<FleetConfig, 'publicUrl'>): string => `${publicUrl}/${PATH}`;

class ProtectedResourceMetadata {
  @ApiProperty()
  resource!: string;
  @ApiProperty({ type: [String] })
  authorization_servers!: string[];
  @ApiProperty({ type: [String] })
  scopes_supported!: string[];
  @ApiProperty({ type: [String] })
  bearer_methods_supported!: string[];
  @ApiProperty()
  resource_name!: string;
  @ApiProperty()
  resource_documentation!: string;
}

/** Serves the metadata of this service (RFC 9728), with which OAuth clients find account-service. */
@ApiTags('OAuth')
@PublicRoute()
@Controller(PATH)
export class ResourceMetadataController {
  private readonly metadata: ProtectedResourceMetadata;

  constructor({ publicUrl, tokens }: FleetConfig) {
    this.metadata = {
      resource: publicUrl,
      authorization_servers: [tokens.issuer],
      scopes_supported: [FLEET_READ_SCOPE],
      bearer_methods_supported: ['header'],
      resource_name: 'GPU Observatory fleet data API',
      resource_documentation: `${publicUrl}/docs`,
    };
  }

  @Get()
  @Header('cache-control', 'public, max-age=300')
  @ApiOperation({
    summary: 'Get the metadata of this service',
    description: 'Where a program gets an access token.',
  })
  @ApiOkResponse({ type: ProtectedResourceMetadata, description: 'Metadata (RFC 9728).' })
  @ErrorResponses()
  getProtectedResourceMetadata(@Query() _query: NoParameters): ProtectedResourceMetadata {
    return this.metadata;
  }
}
