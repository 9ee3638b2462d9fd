import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { Runtime } from '@gpu-observatory/service-runtime';
import { Database } from '@gpu-observatory/service-runtime/process';
import { ContactConfig } from './config/contact.config.ts';
import { SiteConfig } from './config/site.config.ts';
import type { WebsiteConfig } from './config/website.config.ts';

/** Injection token of the process-wide objects. */
export const RUNTIME = Symbol('Runtime');

/** The configuration and the process-wide objects, for providers of all modules. */
@Global()
@Module({})
export class ProcessModule {
  static with({ site, contact }: WebsiteConfig, runtime: Runtime): DynamicModule {
    return {
      module: ProcessModule,
      providers: [
        { provide: SiteConfig, useValue: site },
        { provide: ContactConfig, useValue: contact },
        { provide: RUNTIME, useValue: runtime },
        { provide: Database, useValue: runtime.database },
      ],
      exports: [SiteConfig, ContactConfig, RUNTIME, Database],
    };
  }
}
