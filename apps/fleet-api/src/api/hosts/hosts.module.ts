import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.ts';
import { ExportsModule } from '../exports/exports.module.ts';
import { HostsController } from './hosts.controller.ts';
import { HostsService } from './hosts.service.ts';

@Module({
  imports: [AccessModule, ExportsModule],
  controllers: [HostsController],
  providers: [HostsService],
})
export class HostsModule {}
