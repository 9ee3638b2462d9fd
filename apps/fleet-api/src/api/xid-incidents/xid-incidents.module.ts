import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.ts';
import { HttpCacheModule } from '../http-cache/http-cache.module.ts';
import { XidCatalogModule } from '../xid-catalog.module.ts';
import { XidIncidentsController } from './xid-incidents.controller.ts';
import { XidIncidentsService } from './xid-incidents.service.ts';

@Module({
  imports: [AccessModule, HttpCacheModule, XidCatalogModule],
  controllers: [XidIncidentsController],
  providers: [XidIncidentsService],
})
export class XidIncidentsModule {}
