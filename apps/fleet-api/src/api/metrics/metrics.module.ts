import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.ts';
import { DataVersionModule } from '../data-version/data-version.module.ts';
import { HttpCacheModule } from '../http-cache/http-cache.module.ts';
import { MetricsController } from './metrics.controller.ts';
import { MetricsService } from './metrics.service.ts';

@Module({
  imports: [AccessModule, DataVersionModule, HttpCacheModule],
  controllers: [MetricsController],
  providers: [MetricsService],
})
export class MetricsModule {}
