import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../api-keys/api-keys.module.ts';
import { RequestsModule } from '../requests/requests.module.ts';
import { MetadataController } from './metadata.controller.ts';
import { OAuthErrorFilter } from './oauth-error.filter.ts';
import { TokenEndpointController } from './token-endpoint.controller.ts';

/** Access tokens for programs (`docs/account-service.md#access-tokens-for-programs`). */
@Module({
  imports: [ApiKeysModule, RequestsModule],
  controllers: [TokenEndpointController, MetadataController],
  providers: [OAuthErrorFilter],
})
export class OAuthModule {}
