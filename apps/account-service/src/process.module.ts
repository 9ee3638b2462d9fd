import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { Runtime } from '@gpu-observatory/service-runtime';
import { Database } from '@gpu-observatory/service-runtime/process';
import { Clock } from './clock/clock.ts';
import { AccountConfig } from './config/account.config.ts';

/** Injection token of the process-wide objects. */
export const RUNTIME = Symbol('Runtime');

/** The configuration, the process-wide objects and the clock, for providers of all modules. */
@Global()
@Module({})
export class ProcessModule {
  static with(config: AccountConfig, runtime: Runtime, clock: Clock): DynamicModule {
    return {
      module: ProcessModule,
      providers: [
        { provide: AccountConfig, useValue: config },
        { provide: RUNTIME, useValue: runtime },
        { provide: Database, useValue: runtime.database },
        { provide: Clock, useValue: clock },
      ],
      exports: [AccountConfig, RUNTIME, Database, Clock],
    };
  }
}
