import { Module } from '@nestjs/common';
import type { Runtime } from '@gpu-observatory/service-runtime';
import type { FleetConfig } from '../../config/fleet.config.ts';
import { FLEET_CONFIG, RUNTIME } from '../process.module.ts';
import { CoalescedDataVersions } from './coalesced-data-versions.ts';
import { DataFreshness } from './data-freshness.ts';
import { DataVersionQueries } from './data-version.queries.ts';

/** The data versions of customers, and the age of the data. */
@Module({
  providers: [
    {
      provide: DataFreshness,
      inject: [FLEET_CONFIG, RUNTIME],
      useFactory: ({ standbyLagLimitSeconds }: FleetConfig, runtime: Runtime) =>
        DataFreshness.poll(standbyLagLimitSeconds, runtime),
    },
    {
      provide: CoalescedDataVersions,
      inject: [RUNTIME],
      useFactory: ({ database }: Runtime) => new CoalescedDataVersions(database),
    },
    DataVersionQueries,
  ],
  exports: [CoalescedDataVersions, DataVersionQueries],
})
export class DataVersionModule {}
