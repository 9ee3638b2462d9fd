import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.ts';
import { ExportsModule } from '../exports/exports.module.ts';
import { GpuStatusController } from './gpu-status.controller.ts';
import { GpuStatusService } from './gpu-status.service.ts';

@Module({
  imports: [AccessModule, ExportsModule],
  controllers: [GpuStatusController],
  providers: [GpuStatusService],
})
export class GpuStatusModule {}
