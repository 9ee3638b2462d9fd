import { Module } from '@nestjs/common';
import { Runtime } from '@gpu-observatory/service-runtime';
import { FleetConfig } from '../../config/fleet.config.ts';
import { CoalescedDataVersions } from './coalesced-data-versions.ts';
import { DataFreshness } from './data-freshness.ts';

/** The data versions of customers, and the age of the data. */
@Module({
  providers: [
    {
      provide: DataFreshness,
      inject: [FleetConfig, Runtime],
      useFactory: ({ standbyLagLimitSeconds }: FleetConfig, runtime: Runtime) =>
        DataFreshness.poll(standbyLagLimitSeconds, runtime),
    },
    {
      provide: CoalescedDataVersions,
      inject: [Runtime],
      useFactory: ({ database }: Runtime) => new CoalescedDataVersions(database),
    },
  ],
  exports: [CoalescedDataVersions],
})
export class DataVersionModule {}
