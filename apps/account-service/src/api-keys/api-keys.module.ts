import { Module } from '@nestjs/common';
import { RequestsModule } from '../requests/requests.module.ts';
import { ApiKeysController } from './api-keys.controller.ts';
import { KeyScopesController } from './key-scopes.controller.ts';
import { ApiKeys } from './api-keys.service.ts';

@Module({
  imports: [RequestsModule],
  controllers: [ApiKeysController, KeyScopesController],
  providers: [ApiKeys],
})
export class ApiKeysModule {}
