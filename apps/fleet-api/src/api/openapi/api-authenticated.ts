import { applyDecorators } from '@nestjs/common';
import { ApiBearerAuth, ApiOAuth2 } from '@nestjs/swagger';
import { FLEET_READ_SCOPE } from '@gpu-observatory/token-verification';

/** Documents the accepted credentials of a controller: the access token of a user or of an API key. */
export const ApiAuthenticated = () =>
  applyDecorators(ApiBearerAuth('bearer'), ApiOAuth2([FLEET_READ_SCOPE], 'clientCredentials'));
