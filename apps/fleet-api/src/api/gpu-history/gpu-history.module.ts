import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.ts';
import { HttpCacheModule } from '../http-cache/http-cache.module.ts';
import { GpuHistoryController } from './gpu-history.controller.ts';
import { GpuHistoryService } from './gpu-history.service.ts';

@Module({
  imports: [AccessModule, HttpCacheModule],
  controllers: [GpuHistoryController],
  providers: [GpuHistoryService],
})
export class GpuHistoryModule {}
