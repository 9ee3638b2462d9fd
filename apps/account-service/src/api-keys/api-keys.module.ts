import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.ts';
import { RequestsModule } from '../requests/requests.module.ts';
import { ApiKeysController } from './api-keys.controller.ts';
import { Clients } from './clients.service.ts';
import { KeyScopesController } from './key-scopes.controller.ts';
import { ApiKeys } from './api-keys.service.ts';

@Module({
  imports: [AuditModule, RequestsModule],
  controllers: [ApiKeysController, KeyScopesController],
  providers: [ApiKeys, Clients],
  exports: [Clients],
})
export class ApiKeysModule {}
