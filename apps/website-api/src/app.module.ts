import { type DynamicModule, Module } from '@nestjs/common';
import type { Runtime } from '@gpu-observatory/service-runtime';
import type { WebsiteConfig } from './config/website.config.ts';
import { SiteController } from './site/site.controller.ts';

@Module({})
export class AppModule {
  static compose(_config: WebsiteConfig, _runtime: Runtime): DynamicModule {
    return { module: AppModule, controllers: [SiteController] };
  }
}
