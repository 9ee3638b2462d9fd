import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.ts';
import { ExportsModule } from '../exports/exports.module.ts';
import { XidCatalogModule } from '../xid-catalog.module.ts';
import { XidIncidentsController } from './xid-incidents.controller.ts';
import { XidIncidentsService } from './xid-incidents.service.ts';

@Module({
  imports: [AccessModule, ExportsModule, XidCatalogModule],
  controllers: [XidIncidentsController],
  providers: [XidIncidentsService],
})
export class XidIncidentsModule {}
