import { Module } from '@nestjs/common';
import type { FleetConfig } from '../../config/fleet.config.ts';
import { XidCatalog } from '../../model/health/xid-catalog.ts';
import { AccessModule } from '../access/access.module.ts';
import { HttpCacheModule } from '../http-cache/http-cache.module.ts';
import { FLEET_CONFIG } from '../process.module.ts';
import { GpuDetailController } from './gpu-detail.controller.ts';
import { GpuDetailService } from './gpu-detail.service.ts';
import { GpusController } from './gpus.controller.ts';
import { GpusService } from './gpus.service.ts';

@Module({
  imports: [AccessModule, HttpCacheModule],
  controllers: [GpusController, GpuDetailController],
  providers: [
    GpusService,
    GpuDetailService,
    {
      provide: XidCatalog,
      useFactory: ({ xidTableFile }: FleetConfig) => XidCatalog.read(xidTableFile),
      inject: [FLEET_CONFIG],
    },
  ],
})
export class GpusModule {}
