import { Module } from '@nestjs/common';
import { FleetConfig } from '../../config/fleet.config.ts';
import { CoalescedDataVersions } from '../data-version/coalesced-data-versions.ts';
import { DataVersionModule } from '../data-version/data-version.module.ts';
import { ResponseCache } from './response-cache.ts';

/** Conditional requests and the response cache. */
@Module({
  imports: [DataVersionModule],
  providers: [
    {
      provide: ResponseCache,
      inject: [CoalescedDataVersions, FleetConfig],
      useFactory: (dataVersions: CoalescedDataVersions, { responseCacheBytes }: FleetConfig) =>
        new ResponseCache(dataVersions, responseCacheBytes),
    },
  ],
  exports: [ResponseCache],
})
export class HttpCacheModule {}
