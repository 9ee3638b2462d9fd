import { Module } from '@nestjs/common';
import type { Runtime } from '@gpu-observatory/service-runtime';
import type { FleetConfig } from '../../config/fleet.config.ts';
import { FLEET_CONFIG, RUNTIME } from '../process.module.ts';
import { ReadLimiter } from './read-limiter.ts';
import { TenantDatabase } from './tenant-database.ts';

/** Access to tenant data. */
@Module({
  providers: [
    {
      provide: TenantDatabase,
      inject: [FLEET_CONFIG, RUNTIME],
      useFactory: ({ readLimits, slowReadTimeoutMs }: FleetConfig, runtime: Runtime) =>
        new TenantDatabase(runtime.database, ReadLimiter.withMetrics(readLimits, runtime), slowReadTimeoutMs),
    },
  ],
  exports: [TenantDatabase],
})
export class AccessModule {}
