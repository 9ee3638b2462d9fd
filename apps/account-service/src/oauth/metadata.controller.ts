import { Controller, Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { FLEET_READ_SCOPE } from '@gpu-observatory/token-verification';
import { PublicRoute } from '@gpu-observatory/token-verification/guard';
import { AccountConfig } from '../config/account.config.ts';
import { ErrorResponses } from '../requests/error-responses.ts';
import { TOKEN_PATH } from './oauth-error.filter.ts';

class AuthorizationServerMetadata {
  @ApiProperty()
  issuer!: string;
  @ApiProperty()
  token_endpoint!: string;
  @ApiProperty()
  jwks_uri!: string;
  @ApiProperty({ type: [String] })
  scopes_supported!: string[];
  @ApiProperty({ type: [String], description: 'Empty: there is no authorization endpoint.' })
  response_types_supported!: string[];
  @ApiProperty({ type: [String] })
  grant_types_supported!: string[];
  @ApiProperty({ type: [String] })
  token_endpoint_auth_methods_supported!: string[];
  @ApiProperty()
  service_documentation!: string;
}

/** Serves the metadata of the authorization server (RFC 8414), with which OAuth clients find the token endpoint. */
@ApiTags('Access tokens for programs')
@PublicRoute()
@Controller('.well-known/oauth-authorization-server')
export class MetadataController {
  private readonly metadata: AuthorizationServerMetadata;

  constructor({ tokens: { issuer } }: AccountConfig) {
    this.metadata = {
      issuer,
      token_endpoint: `${issuer}${TOKEN_PATH}`,
      jwks_uri: `${issuer}/.well-known/jwks.json`,
      scopes_supported: [FLEET_READ_SCOPE],
      response_types_supported: [],
      grant_types_supported: ['client_credentials'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      service_documentation: `${issuer}/docs`,
    };
  }

  @Get()
  @Header('cache-control', 'public, max-age=300')
  @ApiOperation({
    summary: 'Get the metadata of the authorization server',
    description: 'Where and how a program gets an access token.',
  })
  @ApiOkResponse({ type: AuthorizationServerMetadata, description: 'Metadata (RFC 8414).' })
  @ErrorResponses()
  getAuthorizationServerMetadata(): AuthorizationServerMetadata {
    return this.metadata;
  }
}
