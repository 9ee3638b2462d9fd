import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.ts';
import { DataVersionModule } from '../data-version/data-version.module.ts';
import { ExportsModule } from '../exports/exports.module.ts';
import { AlertDetailController } from './alert-detail.controller.ts';
import { AlertDetailService } from './alert-detail.service.ts';
import { AlertsController } from './alerts.controller.ts';
import { AlertsService } from './alerts.service.ts';
import { AlertCountsController } from './counts/alert-counts.controller.ts';
import { AlertCountsService } from './counts/alert-counts.service.ts';
import { AlertGroupsController } from './groups/alert-groups.controller.ts';
import { AlertGroupsService } from './groups/alert-groups.service.ts';

@Module({
  imports: [AccessModule, DataVersionModule, ExportsModule],
  controllers: [AlertsController, AlertCountsController, AlertGroupsController, AlertDetailController],
  providers: [AlertsService, AlertCountsService, AlertGroupsService, AlertDetailService],
})
export class AlertsModule {}
