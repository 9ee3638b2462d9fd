import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { Runtime } from '@gpu-observatory/service-runtime';
import type { FleetConfig } from '../config/fleet.config.ts';

/** Injection tokens of the configuration and of the process-wide objects. */
export const FLEET_CONFIG = Symbol('FleetConfig');
export const RUNTIME = Symbol('Runtime');

/** The configuration and the process-wide objects, for providers of all modules. */
@Global()
@Module({})
export class ProcessModule {
  static with(config: FleetConfig, runtime: Runtime): DynamicModule {
    return {
      module: ProcessModule,
      providers: [
        { provide: FLEET_CONFIG, useValue: config },
        { provide: RUNTIME, useValue: runtime },
      ],
      exports: [FLEET_CONFIG, RUNTIME],
    };
  }
}
