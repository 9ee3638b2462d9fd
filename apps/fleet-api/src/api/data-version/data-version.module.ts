import { Module } from '@nestjs/common';
import { CoalescedDataVersions } from './coalesced-data-versions.ts';
import { DataFreshness } from './data-freshness.ts';

/** The data versions of customers, and the age of the data. */
@Module({
  providers: [CoalescedDataVersions, DataFreshness],
  exports: [CoalescedDataVersions],
})
export class DataVersionModule {}
