import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.ts';
import { DataVersionModule } from '../data-version/data-version.module.ts';
import { HttpCacheModule } from '../http-cache/http-cache.module.ts';
import { FleetUsageController } from './fleet-usage.controller.ts';
import { FleetUsageService } from './fleet-usage.service.ts';

@Module({
  imports: [AccessModule, DataVersionModule, HttpCacheModule],
  controllers: [FleetUsageController],
  providers: [FleetUsageService],
})
export class FleetUsageModule {}
