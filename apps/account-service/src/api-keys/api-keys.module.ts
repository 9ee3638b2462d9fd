import { Module } from '@nestjs/common';
import { RequestsModule } from '../requests/requests.module.ts';
import { ApiKeysController } from './api-keys.controller.ts';
import { ApiKeys } from './api-keys.service.ts';

@Module({
  imports: [RequestsModule],
  controllers: [ApiKeysController],
  providers: [ApiKeys],
})
export class ApiKeysModule {}
