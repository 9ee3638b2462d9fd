import { type DynamicModule, Module } from '@nestjs/common';
import { APP_GUARD, APP_PIPE } from '@nestjs/core';
import type { Runtime } from '@gpu-observatory/service-runtime';
import type { FleetConfig } from '../config/fleet.config.ts';
import { ReadLimiter } from './access/read-limiter.ts';
import { TenantDatabase } from './access/tenant-database.ts';
import { AlertDetailController } from './alerts/alert-detail.controller.ts';
import { AlertDetailService } from './alerts/alert-detail.service.ts';
import { AlertsController } from './alerts/alerts.controller.ts';
import { AlertsService } from './alerts/alerts.service.ts';
import { AlertCountsController } from './alerts/counts/alert-counts.controller.ts';
import { AlertCountsService } from './alerts/counts/alert-counts.service.ts';
import { CoalescedDataVersions } from './data-version/coalesced-data-versions.ts';
import { DataFreshness } from './data-version/data-freshness.ts';
import { DataVersionQueries } from './data-version/data-version.queries.ts';
import { GpuDetailController } from './gpus/gpu-detail.controller.ts';
import { GpuDetailService } from './gpus/gpu-detail.service.ts';
import { GpusController } from './gpus/gpus.controller.ts';
import { GpusService } from './gpus/gpus.service.ts';
import { MetricsController } from './metrics/metrics.controller.ts';
import { MetricsService } from './metrics/metrics.service.ts';
import { ResponseCache } from './http-cache/response-cache.ts';
import { queryValidation } from './query-parameters/query-validation.ts';
import { TokenGuard } from './tokens/token-guard.ts';

@Module({})
export class AppModule {
  static compose(config: FleetConfig, runtime: Runtime): DynamicModule {
    return {
      module: AppModule,
      controllers: [
        AlertsController,
        AlertCountsController,
        AlertDetailController,
        GpusController,
        GpuDetailController,
        MetricsController,
      ],
      providers: [
        {
          provide: DataFreshness,
          useFactory: () => DataFreshness.poll(config.standbyLagLimitSeconds, runtime),
        },
        {
          provide: TenantDatabase,
          useFactory: () =>
            new TenantDatabase(
              runtime.database,
              ReadLimiter.withMetrics(config.readLimits, runtime),
              config.slowReadTimeoutMs,
            ),
        },
        { provide: TokenGuard, useFactory: () => TokenGuard.start(config, runtime) },
        { provide: APP_GUARD, useExisting: TokenGuard },
        { provide: APP_PIPE, useValue: queryValidation },
        { provide: CoalescedDataVersions, useValue: new CoalescedDataVersions(runtime.database) },
        {
          provide: ResponseCache,
          inject: [CoalescedDataVersions],
          useFactory: (dataVersions: CoalescedDataVersions) =>
            new ResponseCache(dataVersions, config.responseCacheBytes),
        },
        DataVersionQueries,
        AlertsService,
        AlertCountsService,
        AlertDetailService,
        GpusService,
        GpuDetailService,
        MetricsService,
      ],
    };
  }
}
