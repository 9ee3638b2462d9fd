import { Module } from '@nestjs/common';
import { FleetConfig } from '../../config/fleet.config.ts';
import { CoalescedDataVersions } from '../data-version/coalesced-data-versions.ts';
import { DataVersionModule } from '../data-version/data-version.module.ts';
import { ConditionalResponder } from './conditional-responder.ts';
import { ResponseCache } from './response-cache.ts';

/** Conditional requests and the response cache. */
@Module({
  imports: [DataVersionModule],
  providers: [
    ConditionalResponder,
    {
      provide: ResponseCache,
      inject: [CoalescedDataVersions, FleetConfig],
      useFactory: (dataVersions: CoalescedDataVersions, { responseCacheBytes }: FleetConfig) =>
        responseCacheBytes === 0 ? null : new ResponseCache(dataVersions, responseCacheBytes),
    },
  ],
  exports: [ConditionalResponder],
})
export class HttpCacheModule {}
