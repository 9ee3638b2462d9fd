import type { DynamicModule, Provider } from '@nestjs/common';
import { Database } from './database/database.ts';
import type { Readiness } from './health/readiness.ts';
import type { Logger } from './logging/logger.ts';
import type { WriteBuffer } from './http/write-buffer.ts';
import type { Metrics } from './metrics/metrics.ts';

/** Process-wide objects that the providers of a service receive. Injectable, so it is a class. */
export abstract class Runtime {
  abstract readonly logger: Logger;
  abstract readonly readiness: Readiness;
  abstract readonly metrics: Metrics;
  abstract readonly database: Database;
  abstract readonly writeBuffer: WriteBuffer;
}

/** Provides the process-wide objects to all modules of an application, with values of the service, such as its settings. */
export class RuntimeModule {
  static with(runtime: Runtime, values: Provider[]): DynamicModule {
    const providers = [
      { provide: Runtime, useValue: runtime },
      { provide: Database, useValue: runtime.database },
      ...values,
    ];
    return { module: RuntimeModule, global: true, providers, exports: providers };
  }
}
