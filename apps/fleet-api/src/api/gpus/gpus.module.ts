import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.ts';
import { ExportsModule } from '../exports/exports.module.ts';
import { XidCatalogModule } from '../xid-catalog.module.ts';
import { GpuDetailController } from './gpu-detail.controller.ts';
import { GpuDetailService } from './gpu-detail.service.ts';
import { GpusController } from './gpus.controller.ts';
import { GpusService } from './gpus.service.ts';

@Module({
  imports: [AccessModule, ExportsModule, XidCatalogModule],
  controllers: [GpusController, GpuDetailController],
  providers: [GpusService, GpuDetailService],
})
export class GpusModule {}
