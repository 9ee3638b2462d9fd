import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.ts';
import { ExportsModule } from '../exports/exports.module.ts';
import { HostDetailController } from './host-detail.controller.ts';
import { HostDetailService } from './host-detail.service.ts';
import { HostsController } from './hosts.controller.ts';
import { HostsService } from './hosts.service.ts';

@Module({
  imports: [AccessModule, ExportsModule],
  controllers: [HostsController, HostDetailController],
  providers: [HostsService, HostDetailService],
})
export class HostsModule {}
