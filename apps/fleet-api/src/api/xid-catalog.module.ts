import { Module } from '@nestjs/common';
import type { FleetConfig } from '../config/fleet.config.ts';
import { XidCatalog } from '../model/health/xid-catalog.ts';
import { FLEET_CONFIG } from './process.module.ts';

/** Names, severities and actions of XIDs, with the entries of an operator. */
@Module({
  providers: [
    {
      provide: XidCatalog,
      useFactory: ({ xidTableFile }: FleetConfig) => XidCatalog.read(xidTableFile),
      inject: [FLEET_CONFIG],
    },
  ],
  exports: [XidCatalog],
})
export class XidCatalogModule {}
