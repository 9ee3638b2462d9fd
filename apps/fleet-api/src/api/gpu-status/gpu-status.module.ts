import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.ts';
import { HttpCacheModule } from '../http-cache/http-cache.module.ts';
import { GpuStatusController } from './gpu-status.controller.ts';
import { GpuStatusService } from './gpu-status.service.ts';

@Module({
  imports: [AccessModule, HttpCacheModule],
  controllers: [GpuStatusController],
  providers: [GpuStatusService],
})
export class GpuStatusModule {}
