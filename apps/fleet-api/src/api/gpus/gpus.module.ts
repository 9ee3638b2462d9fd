import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.ts';
import { ExportsModule } from '../exports/exports.module.ts';
import { XidCatalogModule } from '../xid-catalog.module.ts';
import { GpusController } from './gpus.controller.ts';
import { GpusQueries } from './gpus.queries.ts';
import { GpusService } from './gpus.service.ts';

@Module({
  imports: [AccessModule, ExportsModule, XidCatalogModule],
  controllers: [GpusController],
  providers: [GpusService, GpusQueries],
})
export class GpusModule {}
