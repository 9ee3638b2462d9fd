import { Module } from '@nestjs/common';
import { FleetConfig } from '../config/fleet.config.ts';
import { XidCatalog } from '../model/health/xid-catalog.ts';

/** Names, severities and actions of XIDs, with the entries of an operator. */
@Module({
  providers: [
    {
      provide: XidCatalog,
      useFactory: ({ xidTableFile }: FleetConfig) => XidCatalog.read(xidTableFile),
      inject: [FleetConfig],
    },
  ],
  exports: [XidCatalog],
})
export class XidCatalogModule {}
