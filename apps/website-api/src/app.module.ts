import { type DynamicModule, Module } from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import { AssetsController } from './assets/assets.controller.ts';
import { SiteConfig } from './config/site.config.ts';
import type { WebsiteConfig } from './config/website.config.ts';
import { LlmsController } from './llms/llms.controller.ts';
import { HomeController } from './pages/home/home.controller.ts';
import { ParametersPipe } from './parameters/parameters.pipe.ts';
import { SiteController } from './site/site.controller.ts';

@Module({})
export class AppModule {
  static compose({ site }: WebsiteConfig): DynamicModule {
    return {
      module: AppModule,
      controllers: [HomeController, LlmsController, AssetsController, SiteController],
      providers: [
        { provide: SiteConfig, useValue: site },
        { provide: APP_PIPE, useClass: ParametersPipe },
      ],
    };
  }
}
