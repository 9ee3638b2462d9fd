import { type DynamicModule, Module } from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import { type Runtime, RuntimeModule } from '@gpu-observatory/service-runtime';
import { FleetConfig } from '../config/fleet.config.ts';
import { AlertsModule } from './alerts/alerts.module.ts';
import { FleetUsageModule } from './fleet-usage/fleet-usage.module.ts';
import { GpuHistoryModule } from './gpu-history/gpu-history.module.ts';
import { GpuStatusModule } from './gpu-status/gpu-status.module.ts';
import { GpusModule } from './gpus/gpus.module.ts';
import { HostsModule } from './hosts/hosts.module.ts';
import { MetricsModule } from './metrics/metrics.module.ts';
import { queryValidation } from './query-parameters/query-validation.ts';
import { TokensModule } from './tokens/tokens.module.ts';
import { XidIncidentsModule } from './xid-incidents/xid-incidents.module.ts';

@Module({
  imports: [
    TokensModule,
    AlertsModule,
    FleetUsageModule,
    GpusModule,
    GpuStatusModule,
    GpuHistoryModule,
    HostsModule,
    MetricsModule,
    XidIncidentsModule,
  ],
  providers: [{ provide: APP_PIPE, useValue: queryValidation }],
})
export class AppModule {
  static with(config: FleetConfig, runtime: Runtime): DynamicModule {
    const values = [{ provide: FleetConfig, useValue: config }];
    return { module: AppModule, imports: [RuntimeModule.with(runtime, values)] };
  }
}
