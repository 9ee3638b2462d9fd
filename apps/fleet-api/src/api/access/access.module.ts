import { Module } from '@nestjs/common';
import { Runtime } from '@gpu-observatory/service-runtime';
import { FleetConfig } from '../../config/fleet.config.ts';
import { ReadLimiter } from './read-limiter.ts';
import { TenantDatabase } from './tenant-database.ts';

/** Access to tenant data. */
@Module({
  providers: [
    {
      provide: TenantDatabase,
      inject: [FleetConfig, Runtime],
      useFactory: ({ readLimits, slowReadTimeoutMs }: FleetConfig, runtime: Runtime) =>
        new TenantDatabase(runtime.database, ReadLimiter.withMetrics(readLimits, runtime), slowReadTimeoutMs),
    },
  ],
  exports: [TenantDatabase],
})
export class AccessModule {}
